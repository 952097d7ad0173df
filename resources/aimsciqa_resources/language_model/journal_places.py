"""Where the reply journal lies: a file, or a database of Postgres that several machines share."""

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from aimsciqa_resources.language_model.journal import Journal, SharedJournalError

_POSTGRES: Final = "postgres:"
_INSTALL: Final = "pip install '.[cluster]'"


@dataclass(frozen=True, slots=True)
class JournalInPostgres:
    """A database by its connection string of libpq; a password is in PGPASSWORD or PGPASSFILE.

    Everything raises `JournalError`.
    """

    conninfo: str

    def __str__(self) -> str:
        """Host, port and name of the database."""
        self._must_be_usable()
        from aimsciqa_resources.warehouse.advisory_locks import place_of

        return place_of(self.conninfo)

    def exists(self) -> bool:
        """Whether anybody made the journal yet."""
        self._must_be_usable()
        from aimsciqa_resources.language_model.journal_postgres import has_replies

        return has_replies(self.conninfo, str(self))

    def opened(self) -> Journal:
        """The journal, made where there is none."""
        self._must_be_usable()
        from aimsciqa_resources.language_model.journal_postgres import SharedJournal

        return SharedJournal(self.conninfo, str(self))

    def _must_be_usable(self) -> None:
        try:
            from psycopg import ProgrammingError
            from psycopg.conninfo import conninfo_to_dict
        except ImportError as error:
            raise SharedJournalError(f"A journal in Postgres needs {error.name}: {_INSTALL}") from None
        try:
            said = conninfo_to_dict(self.conninfo)
        except ProgrammingError:
            raise SharedJournalError(
                "The place of the reply journal is no connection string of Postgres: write AIMSCIQA_JOURNAL "
                "as in postgres:host=db.example dbname=aimsciqa"
            ) from None
        if said.get("password"):
            raise SharedJournalError(
                "AIMSCIQA_JOURNAL holds a password, which the web UI would show: put it into PGPASSWORD, or "
                "into the file that PGPASSFILE names."
            )


JournalPlace: TypeAlias = Path | JournalInPostgres


def journal_place(named: str) -> JournalPlace:
    """The place that AIMSCIQA_JOURNAL names: the path of a file, or postgres: and a connection string."""
    if named.startswith(_POSTGRES):
        return JournalInPostgres(named.removeprefix(_POSTGRES))
    return Path(named).absolute()


def open_journal(place: JournalPlace) -> Journal:
    """The journal at a place, made where there is none. Raises `JournalError`."""
    if isinstance(place, JournalInPostgres):
        return place.opened()
    from aimsciqa_resources.language_model.journal_file import JournalFile

    return JournalFile(place)


def journal_size(place: JournalPlace) -> int:
    """How many bytes a journal takes; 0 where there is none. Raises `JournalError`."""
    if not place.exists():
        return 0
    with closing(open_journal(place)) as journal:
        return journal.size()
