import pytest
from aimsciqa_resources.printable import printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2Jcleared", "\\x1b[2Jcleared"),
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("\x9b31m, an escape of one byte", "\\x9b31m, an escape of one byte"),
        ("good\rbad", "good\\rbad"),
        ("gnp\u202etxt.exe", "gnp\\u202etxt.exe"),
        ("caf\udce9.xml", "caf\\udce9.xml"),
        ("null\0", "null\\x00"),
        ("line\n\tindented", "line\n\tindented"),
        ("β-catenin – 5\u00a0µm, “quoted”, 漢字, 🧬", "β-catenin – 5\u00a0µm, “quoted”, 漢字, 🧬"),
        (r"a path\x1b of letters", r"a path\x1b of letters"),
    ],
)
def test_what_a_terminal_would_obey_is_shown_and_everything_else_stays(text, shown):
    assert printable(text) == shown
    shown.encode()


def test_a_name_stays_on_its_line():
    assert printable("a\nb\tc", keep="") == r"a\nb\tc"
