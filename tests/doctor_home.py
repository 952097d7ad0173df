"""A healthy home for the tests of `aimsciqa doctor`, what its checks find there, and a server of models."""

import time
from dataclasses import dataclass, field
from email.utils import formatdate
from pathlib import Path

from aimsciqa_resources.language_model.journal_file import JournalFile
from aiohttp import web

from aimsciqa_assets.cli.doctor.checks import CHECKS
from aimsciqa_assets.cli.doctor.findings import Examined, Finding, findings_of
from aimsciqa_assets.cli.pipeline import open_instance
from aimsciqa_assets.platform.home import Home
from tests.fakes import write_corpus
from tests.loopback import LoopbackServer
from tests.small_home import pipeline_at

CHECK = {check.name: check for check in CHECKS}


def make_home(folder: Path) -> None:
    write_corpus(folder / "papers", 3)
    pipeline_at(folder / "home").ingest(folder / "papers")
    home = Home(folder / "home")
    JournalFile(home.journal).close()
    open_instance(home).dispose()


def found_by(name: str, home: Home, **examined) -> list[Finding]:
    return list(findings_of(CHECK[name], Examined(home, **examined)))


def the_fault(name: str, home: Home, **examined) -> Finding:
    """The only finding of a check that is not ok."""
    (fault,) = [one for one in found_by(name, home, **examined) if one.state != "ok"]
    return fault


@dataclass
class ModelDesk(LoopbackServer):
    """A server that lists its models, to those who have its key, and tells the time."""

    names: tuple[str, ...] = ("qwen-small",)
    key: str = ""
    ahead: float = 0.0
    _errors: list[Exception] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"{self.origin}/v1"

    def _application(self) -> web.Application:
        app = web.Application()
        app.router.add_get("/v1/models", self._models)
        return app

    async def _models(self, request: web.Request) -> web.Response:
        headers = {"Date": formatdate(time.time() + self.ahead, usegmt=True)}
        if self.key and request.headers.get("Authorization") != f"Bearer {self.key}":
            return web.json_response({"error": "who are you?"}, status=401, headers=headers)
        listed = [{"id": name, "object": "model"} for name in self.names]
        return web.json_response({"object": "list", "data": listed}, headers=headers)


def ask(monkeypatch, url: str, name: str = "qwen-small") -> None:
    for setting, value in {"BACKEND": "server", "NAME": name, "BASE_URL": url}.items():
        monkeypatch.setenv(f"AIMSCIQA_MODEL_{setting}", value)
