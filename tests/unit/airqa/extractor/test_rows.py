import pytest

from aimsciqa_assets.airqa.extractor.rows import conference_of


@pytest.mark.parametrize(
    ("venue", "conference"),
    [
        ("ACL2023", "acl2023"),
        ("NeurIPS2024", "neurips2024"),
        ("ProceedingsoftheeleventhMeetingof20192020", "proceedingsoftheeleventhmeetingof2020"),
        ("JournalofSoils", "uncategorized"),
        ("uncategorized2020", "uncategorized"),
        ("2020", "uncategorized"),
        ("", "uncategorized"),
    ],
)
def test_a_conference_is_written_as_examples_name_it(venue, conference):
    assert conference_of(venue) == conference
