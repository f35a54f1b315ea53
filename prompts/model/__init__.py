"""The reader that asks a language model the team brings: any provider, never in the way. The Test button is in `probe`."""

from prompts.errors import ErrorKind, ModelCallCancelled, ModelError
from prompts.model.reader import ModelReader
from prompts.model.settings import ModelSettings, Prices
from prompts.stop import Stop
from prompts.usage import Spent, Usage

__all__ = [
    "ErrorKind", "ModelError", "ModelReader", "ModelSettings", "Prices", "Spent", "Stop", "ModelCallCancelled", "Usage",
]  # fmt: skip
