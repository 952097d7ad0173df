"""The articles that the server serves, and what happens to them from day to day."""

import hashlib
import json
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from xml.sax.saxutils import escape

BUCKET = "pmc-oa-opendata"


@dataclass(frozen=True)
class Version:
    """One version of an article, with its files."""

    pmcid: str
    number: int
    title: str
    licence: str | None
    published: int
    entered: date
    changed: date
    text: str
    retracted: bool = False
    back: str = ""
    """JATS behind the text: tables and references."""

    @property
    def name(self) -> str:
        return f"{self.pmcid}.{self.number}"

    @property
    def jats(self) -> bytes:
        return (
            '<article xmlns:xlink="http://www.w3.org/1999/xlink" article-type="research-article">'
            f'<front><article-meta><article-id pub-id-type="pmcid">{self.pmcid}</article-id>'
            f"<title-group><article-title>{escape(self.title)}</article-title></title-group>"
            f"</article-meta></front><body><p>{escape(self.text)}</p></body>{self.back}</article>"
        ).encode()

    @property
    def metadata(self) -> bytes:
        files = {"xml_url": ("xml", self.jats), "text_url": ("txt", self.text.encode())}
        urls = {
            field_name: f"s3://{BUCKET}/{self.name}/{self.name}.{kind}?md5={hashlib.md5(content).hexdigest()}"
            for field_name, (kind, content) in files.items()
        }
        described = {
            "pmcid": self.pmcid,
            "version": self.number,
            "pmid": None,
            "doi": None,
            "title": self.title,
            "citation": f"Journal of Examples. {self.published}",
            "is_pmc_openaccess": self.licence != "TDM",
            "is_manuscript": self.licence == "TDM",
            "is_historical_ocr": False,
            "is_retracted": self.retracted,
            "license_code": self.licence,
        }
        return json.dumps(described | urls).encode()

    def objects(self) -> dict[str, bytes]:
        return {
            f"{self.name}/{self.name}.xml": self.jats,
            f"{self.name}/{self.name}.txt": self.text.encode(),
            f"{self.name}/{self.name}.json": self.metadata,
            f"metadata/{self.name}.json": self.metadata,
        }


@dataclass
class Archive:
    """Articles by PMCID, each with its versions in ascending order; the dated inventories; what was deleted.

    Every change happens `today`.
    """

    today: date = date(2026, 9, 21)
    articles: dict[str, list[Version]] = field(default_factory=dict)
    inventories: dict[str, list[tuple[str, str, str]]] = field(default_factory=dict)
    withdrawn: dict[str, date] = field(default_factory=dict)

    def publish(
        self,
        pmcid: str,
        *,
        title: str = "On examples",
        licence: str | None = "CC BY",
        published: int = 2026,
        text: str = "Examples are good.",
        back: str = "",
    ) -> Version:
        """A new article, or one that was withdrawn and comes again."""
        version = Version(pmcid, 1, title, licence, published, self.today, self.today, text, back=back)
        self.articles[pmcid] = [version]
        self.withdrawn.pop(pmcid, None)
        return version

    def revise(self, pmcid: str, text: str) -> Version:
        """A new version of an article; the earlier ones stay."""
        last = self.articles[pmcid][-1]
        version = replace(last, number=last.number + 1, text=text, changed=self.today)
        self.articles[pmcid] = [*self.articles[pmcid], version]
        return version

    def withdraw(self, pmcid: str) -> None:
        """All versions go."""
        del self.articles[pmcid]
        self.withdrawn[pmcid] = self.today

    def withdraw_version(self, pmcid: str) -> None:
        """The newest version goes, an earlier one is there."""
        self.articles[pmcid] = self.articles[pmcid][:-1]

    def retract(self, pmcid: str) -> None:
        self._change_all(pmcid, retracted=True)

    def relicense(self, pmcid: str, licence: str | None) -> None:
        self._change_all(pmcid, licence=licence)

    def correct(self, pmcid: str, text: str) -> None:
        """Other bytes under the same version number."""
        *earlier, last = self.articles[pmcid]
        self.articles[pmcid] = [*earlier, replace(last, text=text, changed=self.today)]

    def sleep(self, days: int = 1) -> None:
        """The next day begins."""
        self.today += timedelta(days=days)

    def take_inventory(self) -> str:
        """Write down what there is; returns the name of the inventory."""
        name = f"{self.today:%Y-%m-%d}T01-00Z"
        self.inventories[name] = [
            (f"metadata/{version.name}.json", "2026-01-08T11:47:59.000Z", etag_of(version.metadata))
            for versions in self.articles.values()
            for version in versions
        ]
        return name

    def newest(self) -> dict[str, Version]:
        return {pmcid: versions[-1] for pmcid, versions in self.articles.items()}

    def objects(self) -> dict[str, bytes]:
        """All objects of articles."""
        return {
            key: content
            for versions in self.articles.values()
            for version in versions
            for key, content in version.objects().items()
        }

    def _change_all(self, pmcid: str, **changes) -> None:
        self.articles[pmcid] = [
            replace(version, changed=self.today, **changes) for version in self.articles[pmcid]
        ]


def etag_of(content: bytes) -> str:
    return hashlib.md5(content).hexdigest()
