"""The manuscripts of SciDQA's demo, before and after review, from papers of the demo corpus.

`python examples/scidqa_demo/make_versions.py FOLDER` writes FORUM.initial.xml and FORUM.final.xml for each
forum of `versions.toml`.
"""

import argparse
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
_CORPUS: Final = HERE.parent / "demo_corpus"
_TABLE: Final = re.compile(r"\s*<table-wrap\b.*?</table-wrap>", re.DOTALL)
_TABLE_MENTION: Final = re.compile(r'\s*\(<xref ref-type="table"[^>]*>[^<]*</xref>\)')
_EMPTY_PARAGRAPH: Final = re.compile(r"\s*<p>\s*</p>")


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A paper, and what its initial version did not have yet."""

    file: str
    added: Sequence[str] = ()
    table: bool = True

    @property
    def final(self) -> str:
        """The JATS of the final version."""
        return (_CORPUS / f"{self.file}.xml").read_text("utf-8")

    @property
    def initial(self) -> str:
        """The JATS of the initial version."""
        text = self.final
        for sentences in self.added:
            text = _without(text, sentences)
        return text if self.table else _TABLE_MENTION.sub("", _TABLE.sub("", text))


def _without(text: str, sentences: str) -> str:
    """The text without these sentences, whose lines it may break anywhere. They must stand in it once."""
    broken = r"\s+".join(map(re.escape, sentences.split()))
    text, found = re.subn(rf"\s*{broken}", "", text)
    if found != 1:
        raise ValueError(f"found {found} times, not once: {sentences}")
    return _EMPTY_PARAGRAPH.sub("", text)


def main() -> None:
    """Write the manuscripts into a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    versions = tomllib.loads((HERE / "versions.toml").read_text("utf-8"))
    for forum, told in versions.items():
        reviewed = Reviewed(**told)
        (folder / f"{forum}.initial.xml").write_text(reviewed.initial, "utf-8")
        (folder / f"{forum}.final.xml").write_text(reviewed.final, "utf-8")


if __name__ == "__main__":
    main()
