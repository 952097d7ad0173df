"""Language models behind one interface: requests in, replies streamed back as they finish."""

from aimsciqa_resources.language_model.interface import LanguageModel, Message, ModelReply, ModelRequest

__all__ = ["LanguageModel", "Message", "ModelReply", "ModelRequest"]
