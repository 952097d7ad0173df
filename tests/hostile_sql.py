"""A place where hostile SQL runs: a store, a secret beside it, a listener, and what must stay as it was."""

import hashlib
import json
import socket
import sys
from pathlib import Path
from typing import Any

from aimsciqa_assets.airqa.sandbox.observations import Observation, Query
from tests.airqa_store import store_at

STATEMENTS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "airqa" / "hostile_sql.jsonl").read_text().splitlines()
]
SECRET = "quetzalcoatl"


class HostilePlace:
    """A query on a store, and what a statement must neither see nor change."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = store_at(folder / "papers.duckdb")
        self._secret = folder / "secret.csv"
        self._secret.write_text(f"column0\n{SECRET}\n")
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.setblocking(False)
        self._url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._before = self._state()
        self.query = Query(
            self.store,
            processes=1,
            count_tokens=lambda texts: [len(text) // 4 for text in texts],
        )

    def filled(self, statement: dict[str, Any]) -> str:
        """The text of a statement, with the paths of this place in it."""
        if "parts" in statement:
            return "".join(text * times for text, times in statement["parts"])
        text: str = statement["sql"]
        places = {
            "{store}": self.store,
            "{secret}": self._secret,
            "{outside}": self.folder / "outside.csv",
            "{folder}": self.folder,
            "{url}": self._url,
        }
        for mark, place in places.items():
            text = text.replace(mark, str(place))
        return text

    def run(self, sql: str, seconds: float) -> Observation:
        """Run a statement that may do what it wants; fails where it did something."""
        observation = self.query.observe(sql, max_timeout=seconds)
        assert self._state() == self._before
        shown = observation.text
        assert sys.prefix not in shown
        if not observation.failed:  # an error may repeat what the statement itself says
            assert SECRET not in shown
            assert str(self.folder) not in shown.replace("\\/", "/") or str(self.folder) in sql
        assert len(shown) < 13_000_000
        return observation

    def close(self) -> None:
        """End the processes, and fail where one of them called."""
        self.query.__exit__()
        try:
            self._listener.accept()
        except BlockingIOError:
            return
        finally:
            self._listener.close()
        raise AssertionError("A statement reached the network.")

    def _state(self) -> dict[str, str]:
        return {
            path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(self.folder.iterdir())
        }
