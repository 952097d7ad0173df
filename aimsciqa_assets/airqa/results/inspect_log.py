"""A run as a log of inspect_ai (JSON, version 2 of its format), to be read in that tool's viewer.

Only what the format needs and what we know is written. Samples stand last in a log, because its readers may
stop there. They are written as they come, into a file of their own.
"""

import json
from pathlib import Path
from shutil import copyfileobj
from types import TracebackType
from typing import Any, Final, Self

from aimsciqa.files import json_text
from aimsciqa_assets.airqa.results.trajectories import Trajectory
from aimsciqa_assets.airqa.tally import TagScore, right_part

SCORER: Final = "airqa"


class InspectLog:
    """A log of one repetition of a run, written sample by sample. `created` is ISO 8601, UTC."""

    def __init__(self, path: Path, run: dict[str, Any], created: str) -> None:
        self._path, self._run, self._created = path, run, created
        self._samples = path.with_name(f"{path.name}.samples")
        self._file = self._samples.open("w", encoding="utf-8", errors="backslashreplace", newline="\n")
        self._ids: list[str] = []
        self._input, self._output = 0, 0

    def __enter__(self) -> Self:
        """Nothing needs to be done."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the file of the samples."""
        self._file.close()
        self._samples.unlink(missing_ok=True)

    def add(self, found: Trajectory) -> None:
        """Write a trajectory as a sample."""
        self._file.write(",\n" if self._ids else "\n")
        self._file.write(json_text(self._sample(found)))
        self._ids.append(found.answer["example_id"])
        self._input += found.answer["input_tokens"]
        self._output += found.answer["output_tokens"]

    def end(self, total: TagScore) -> None:
        """Write the log: what it says of all samples, and these."""
        run = self._run
        name = f"{run['run_id']}-{run['repeat']}"
        metrics = {"accuracy": {"name": "accuracy", "value": total.score}} if total.score is not None else {}
        score = {"name": SCORER, "scorer": SCORER, "scored_samples": total.count, "metrics": metrics}
        head = {
            "version": 2,
            "status": "success",
            "eval": {
                "eval_id": name,
                "run_id": run["run_id"],
                "created": self._created,
                "task": SCORER,
                "task_id": SCORER,
                "task_args": {"baseline": run["baseline"], **json.loads(run["settings"])},
                "solver": run["baseline"],
                "dataset": {"name": SCORER, "samples": len(self._ids), "sample_ids": self._ids},
                "model": run["model"],
                "config": {"epochs": 1},
                "metadata": {"repeat": run["repeat"], "prompt_version": run["prompt_version"]},
            },
            "plan": {"name": "plan", "steps": [{"solver": run["baseline"], "params": {}}]},
            "results": {
                "total_samples": len(self._ids),
                "completed_samples": len(self._ids),
                "scores": [score],
            },
            "stats": {
                "started_at": self._created,
                "completed_at": self._created,
                "model_usage": {run["model"]: _usage(self._input, self._output)},
            },
        }
        self._file.close()
        with self._path.open("wb") as log, self._samples.open("rb") as samples:
            opening = json_text(head).removesuffix("}") + ', "samples": ['
            log.write(opening.encode("utf-8", "backslashreplace"))
            copyfileobj(samples, log)
            log.write(b"\n]}\n")

    def _sample(self, found: Trajectory) -> dict[str, Any]:
        answer, run = found.answer, self._run
        example = found.example
        said = next((one["content"] for one in reversed(found.messages) if one["role"] == "assistant"), "")
        given = found.given if isinstance(found.given, str) else json_text(found.given)
        target = json_text(right_part(example.evaluator_shape)) if example else ""
        sample = {
            "id": answer["example_id"],
            "epoch": run["repeat"],
            "input": answer["task"],
            "target": target,
            "messages": [_shown(message) for message in found.messages],
            "output": {
                "model": run["model"],
                "choices": [{"message": {"role": "assistant", "content": said}, "stop_reason": "stop"}],
            },
            "scores": {},
            "metadata": {
                "tags": example.tags if example else [],
                "status": answer["status"],
                "judge": answer["judge"],
                "stand_in": answer["stand_in"],
            },
            "model_usage": {run["model"]: _usage(answer["input_tokens"], answer["output_tokens"])},
            "total_time": answer["seconds"],
        }
        if answer["score"] is not None:
            value = "C" if answer["score"] else "I"
            sample["scores"] = {
                SCORER: {"value": value, "answer": given, "explanation": answer["no_verdict"]}
            }
        if answer["status"] == "failed":
            sample["error"] = {"message": answer["reason"], "traceback": "", "traceback_ansi": ""}
        return sample


def _usage(given: int, written: int) -> dict[str, int]:
    return {"input_tokens": given, "output_tokens": written, "total_tokens": given + written}


def _shown(message: dict[str, Any]) -> dict[str, Any]:
    """A message as inspect_ai has it: a picture, which is not kept, as the text that stands for it."""
    content = message["content"]
    if isinstance(content, str):
        return message
    texts = [part["text"] if part["type"] == "text" else part["image_url"]["url"] for part in content]
    return {**message, "content": [{"type": "text", "text": text} for text in texts]}
