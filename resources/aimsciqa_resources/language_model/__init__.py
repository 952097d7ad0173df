"""Language models behind one interface: requests in, replies streamed back as they finish; and dialogues.

`opening` makes a model from its settings. `durable` is what all real models share: journal, streaming,
retries, pace; `openai_server` and `vllm_engine` are the engines below it. The backend `scripted` needs none
of these; the caller of `opening` supplies its model.
"""

from aimsciqa_resources.language_model.dialogue import Dialogue, beginning_with, converse, once
from aimsciqa_resources.language_model.interface import (
    NO_LOGPROBS,
    PROMPT_TOO_LONG,
    Call,
    Image,
    LanguageModel,
    Message,
    ModelError,
    ModelReply,
    ModelRequest,
    TokenLogprob,
    Usage,
)

__all__ = [
    "NO_LOGPROBS",
    "PROMPT_TOO_LONG",
    "Call",
    "Dialogue",
    "Image",
    "LanguageModel",
    "Message",
    "ModelError",
    "ModelReply",
    "ModelRequest",
    "TokenLogprob",
    "Usage",
    "beginning_with",
    "converse",
    "once",
]
