"""Article versions as the metadata of the PMC Cloud Service describe them, and their licences.

The models are strict about what matters (which article, which version, whether it is retracted, where its XML
is and with which MD5) and accept everything else unchecked.
"""

import re
from typing import Annotated, Any, Self
from urllib.parse import parse_qs, unquote, urlsplit

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from aimsciqa_resources.pmc.errors import MetadataError, UnexpectedAnswerError

LICENCE_CODES = ("CC0", "CC BY", "CC BY-SA", "CC BY-ND", "CC BY-NC", "CC BY-NC-SA", "CC BY-NC-ND", "TDM")
"""The licences of the Cloud Service; TDM is for author manuscripts, which allow only text mining."""
_NO_LETTER = re.compile(r"[^A-Z0-9]")
_BY_LETTERS = {_NO_LETTER.sub("", code): code for code in LICENCE_CODES}
_MD5 = re.compile(r"[0-9a-f]{32}")


def licence_codes(text: str) -> tuple[str, ...]:
    """The licences in a list such as "cc-by, CC0", as PubMed Central spells them.

    Raises `ValueError` for an unknown one.
    """
    codes = []
    for name in filter(None, (part.strip() for part in text.split(","))):
        code = _BY_LETTERS.get(_NO_LETTER.sub("", name.upper()))
        if code is None:
            raise ValueError(f"there is no licence {name!r}; choose from {', '.join(LICENCE_CODES)}")
        codes.append(code)
    return tuple(dict.fromkeys(codes))


class ObjectUrl(BaseModel):
    """An object of the bucket with the MD5 of its bytes, from `s3://<bucket>/<key>?md5=<hex>`."""

    model_config = ConfigDict(frozen=True)

    key: str
    md5: str

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        parts = urlsplit(value)
        md5 = parse_qs(parts.query).get("md5", [""])[0].lower()
        key = unquote(parts.path).removeprefix("/")
        if parts.scheme != "s3" or not key or not _MD5.fullmatch(md5):
            raise ValueError("an s3:// URL with an md5 was expected")
        return {"key": key, "md5": md5}


def _text(value: Any) -> Any:
    """Null becomes an empty text; ids may come as numbers."""
    if value is None:
        return ""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


_Text = Annotated[str, BeforeValidator(_text)]
_Flag = Annotated[bool, BeforeValidator(lambda value: value or False)]


class ArticleVersion(BaseModel):
    """One version of an article. Unknown texts are ""; files that do not exist are None.

    `etag` is the ETag of the metadata object: it changes with the metadata, and the inventory lists it.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)

    pmcid: str = Field(pattern=r"^PMC[1-9]\d*$")
    version: int = Field(ge=1)
    is_retracted: bool
    xml: ObjectUrl | None = Field(alias="xml_url")
    license_code: _Text = ""
    pmid: _Text = ""
    doi: _Text = ""
    title: _Text = ""
    citation: _Text = ""
    is_pmc_openaccess: _Flag = False
    is_manuscript: _Flag = False
    is_historical_ocr: _Flag = False
    text: ObjectUrl | None = Field(default=None, alias="text_url")
    pdf: ObjectUrl | None = Field(default=None, alias="pdf_url")
    etag: str = Field(default="", exclude=True)

    @model_validator(mode="after")
    def _files_are_its_own(self) -> Self:
        for file in (self.xml, self.text, self.pdf):
            if file is not None and not file.key.startswith(f"{self.name}/"):
                raise ValueError(f"the file {file.key} belongs to another article version")
        return self

    @property
    def name(self) -> str:
        """`PMC13901.1`."""
        return f"{self.pmcid}.{self.version}"


def read_metadata(content: bytes, pmcid: str, version: int, etag: str) -> ArticleVersion:
    """The metadata of this article version.

    Raises `UnexpectedAnswerError` when `content` is not JSON, `MetadataError` when fields that matter are
    missing or the metadata belong to another article.
    """
    name = f"{pmcid}.{version}"
    try:
        article = ArticleVersion.model_validate_json(content)
    except ValidationError as error:
        first = error.errors()[0]
        if first["type"] == "json_invalid":
            raise UnexpectedAnswerError(f"The metadata of {name} are not JSON: {first['msg']}") from None
        where = ".".join(map(str, first["loc"]))
        raise MetadataError(f"The metadata of {name} cannot be used: {where}: {first['msg']}") from None
    if article.name != name:
        raise MetadataError(f"The metadata of {name} are those of {article.name}.")
    return article.model_copy(update={"etag": etag})
