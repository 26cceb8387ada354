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
    ("<|open|>think<|sep|>", "<|close|>think<|sep|>"),
    ("<|channel|>analysis<|message|>", "<|end|>"),
)
"""What opens and what closes reasoning; a template may have opened it before the reply begins."""

CLOSED_ONLY: tuple[str, ...] = ("[BEGIN FINAL RESPONSE]",)
"""Marks that end reasoning which nothing opens."""

CALL_HEAD = "to=functions."
"""Stands before the marks of reasoning when what follows is a call."""

CUT_OFF = frozenset(
    "length max_tokens max_output_tokens model_length model_context_window_exceeded incomplete token_limit".split()
)
"""Finish reasons, in lower case, that say that the reply is not complete."""
