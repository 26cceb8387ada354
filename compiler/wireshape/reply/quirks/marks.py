"""The marks that models put around their reasoning, and the reasons for which a reply stops in the middle."""

from __future__ import annotations

REASONING: tuple[tuple[str, str], ...] = (
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<seed:think>", "</seed:think>"),
    ("<mm:think>", "</mm:think>"),
    ("[THINK]", "[/THINK]"),
    ("\u25c1think\u25b7", "\u25c1/think\u25b7"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|inner_prefix|>", "<|inner_suffix|>"),
    ("<|channel>thought", "<channel|>"),
    ("<|channel><|channel>thought", "<channel|>"),
    ("<|open|>think<|sep|>", "<|close|>think<|sep|>"),
    ("<|channel|>analysis<|message|>", "<|end|>"),
    ("<|channel|>commentary to=assistant<|channel|>analysis<|message|>", "<|end|>"),
)
"""What opens and what closes reasoning; a template may have opened it before the reply begins."""

CLOSED_ONLY: tuple[str, ...] = ("[BEGIN FINAL RESPONSE]", "<|end|><|start|>assistant")
"""Marks that end reasoning which nothing opens."""

CALL_HEAD = "to=functions."
"""Stands before the marks of reasoning when what follows is a call."""

CALL_BEGINS: tuple[str, ...] = ("<|tool_calls_section_begin|>", "<|tool_call_begin|>")
"""Tokens that begin calls, even in reasoning that nothing has ended."""

HEADS: tuple[str, ...] = (
    r"<\|START_(?:RESPONSE|TEXT)\|>",
    r"<\|CHATBOT_TOKEN\|>",
    r"<\|open\|>response<\|sep\|>",
    r"<\|im_start\|>assistant\n",
    r"(?:<\|start\|>assistant)?(?:<\|channel\|>commentary to=assistant)?<\|channel\|>(?:final|commentary)(?: <\|constrain\|>\w{1,16})?<\|message\|>",
)
"""Patterns of what templates put before an answer."""

TAILS: tuple[str, ...] = (
    "<|END_RESPONSE|>",
    "<|END_TEXT|>",
    "<|END_OF_TURN_TOKEN|>",
    "<|close|>response<|sep|>",
    "<|close|>message<|sep|>",
    "<|end|>",
    "<|return|>",
    "<|im_end|>",
    "<|eot_id|>",
    "<|endoftext|>",
    "<end_of_turn>",
    "<|channel>thought\n<channel|>",
    "<channel|>",
)
"""What templates put after an answer."""

CUT_OFF = frozenset(
    "length max_tokens max_output_tokens model_length model_context_window_exceeded incomplete token_limit".split()
)
"""Finish reasons, in lower case, that say that the reply is not complete."""


def finish_word(reason: object) -> str | None:
    """The word of a finish reason: a text, or the name of a member of a client's enumeration; else there is none.

    >>> from enum import IntEnum
    >>> finish_word(IntEnum("Reason", ["STOP", "MAX_TOKENS"])(2)), finish_word("stop"), finish_word(2)
    ('MAX_TOKENS', 'stop', None)
    """
    word = reason if isinstance(reason, str) else getattr(reason, "name", None)
    return word if isinstance(word, str) else None


def is_cut_off(reason: object) -> bool:
    """Tell whether a finish reason says that the reply is not complete."""
    return (finish_word(reason) or "").lower() in CUT_OFF
