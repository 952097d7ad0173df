"""A test that takes long must say so."""

from pathlib import Path

import pytest

from tests.durations import complaint

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("seconds", "markers", "busy", "told"),
    [
        (11, set(), 0.2, None),
        (13, set(), 1.0, "mark it with @pytest.mark.slow"),
        (30, set(), 3.0, None),
        (37, set(), 3.0, "mark it with @pytest.mark.slow"),
        (119, {"slow", "parametrize"}, 1.0, None),
        (121, {"slow"}, 1.0, "mark it with @pytest.mark.nightly"),
        (1000, {"slow", "nightly"}, 1.0, None),
    ],
)
def test_the_longer_a_test_takes_the_clearer_it_must_say_so(seconds, markers, busy, told):
    found = complaint(seconds, markers, busy)
    assert (found is None) == (told is None)
    assert told is None or told in found


def test_a_test_that_waits_for_a_process_is_not_a_quick_one(pytester, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    pytester.makeconftest(
        "from tests import durations\n"
        "from tests.durations import pytest_runtest_makereport\n"
        "durations.UNMARKED_SECONDS = 0.0\n"
        "durations.os.getloadavg = lambda: (0.0, 0.0, 0.0)\n"
    )
    pytester.makepyfile(
        """
        import subprocess
        import pytest

        def test_unmarked():
            subprocess.run(["sleep", "0.05"], check=True)

        @pytest.mark.slow
        def test_marked():
            subprocess.run(["sleep", "0.05"], check=True)
        """
    )
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(failed=1, passed=1)
    result.stdout.fnmatch_lines(["*test_unmarked took 0 s: make it cheaper, or mark it with*slow*"])
