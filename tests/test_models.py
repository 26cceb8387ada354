"""A row is picked by the patterns that rows state: strict first, then the closest name, then more carriers."""

from __future__ import annotations

import pytest

import wireshape as ws
from wireshape.dialect import dialects
from wireshape.models import Models, models_of

PROVIDERS = sorted({p for name in dialects() for p in models_of(name).providers})


@pytest.mark.parametrize(
    ("provider", "model", "api", "row"),
    [
        ("openai", "gpt-5.2", None, "openai-strict"),
        ("OpenAI", "GPT-5.2", "responses", "openai-strict"),
        ("openai", "ft:gpt-4.1:acme::abc", None, "openai-finetuned-strict"),
        ("openai", "o4-mini", "tool", "openai-o3-strict"),
        ("openai", "o4-mini", "output", "openai-strict"),
        ("openai", "gpt-audio-mini", "tool", "openai-non-strict"),
        ("openai", "gpt-audio-mini", "output", "openai-strict"),
        ("azure", "my-deployment", None, "azure-openai-strict"),
        ("anthropic", "claude-sonnet-5-5", None, "anthropic-strict"),
        ("anthropic", "claude-3-5-sonnet-latest", None, "anthropic-non-strict"),
        ("vertex", "claude-opus-4-6@20260101", None, "anthropic-vertex-strict"),
        ("vertex", "claude-3-5-haiku@20241022", None, "anthropic-non-strict"),
        ("vertex", "gemini-3-pro", None, "gemini-json-schema"),
        ("google", "gemini-3-pro", "live", "gemini-openapi"),
        ("google", "gemini-3-pro", "interactions", "gemini-interactions"),
        ("google", "gemini-3-pro", "tool", "gemini-json-schema"),
        ("bedrock", "us.anthropic.claude-sonnet-4-5-20250929-v1:0", None, "bedrock-claude-strict"),
        ("bedrock", "anthropic.claude-opus-5-v1:0", None, "bedrock-non-strict"),
        ("bedrock", "qwen.qwen3-32b-v1:0", None, "bedrock-open-strict"),
        ("groq", "openai/gpt-oss-120b", None, "groq-strict"),
        ("groq", "openai/gpt-oss-120b", "tool", "groq-non-strict"),
        ("groq", "llama-3.3-70b", None, "groq-non-strict"),
        ("zai", "glm-5.3", None, "zai"),
        ("z_ai", "glm-5.3", "prompt", "zai"),
        ("mcp", "", "tool", "mcp-input"),
        ("mcp", "", "output", "mcp-output"),
        ("xai", "grok-4.6", None, "xai-strict"),
    ],
)
def test_the_row_of_a_model(provider: str, model: str, api: str | None, row: str) -> None:
    assert ws.dialect_for(provider, model, api).id == row


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_model_that_nothing_is_known_about_has_a_row(provider: str) -> None:
    assert ws.dialect_for(provider, "some-model-of-tomorrow").id in ws.dialects()


def test_an_unknown_provider_lists_the_known_ones() -> None:
    with pytest.raises(
        ws.DialectError, match=r"no row serves the provider 'no-such-host'.*anthropic"
    ) as e:
        ws.dialect_for("no-such-host", "x")
    assert e.value.code == "WS704"


def test_a_carrier_that_no_row_serves_lists_the_rows() -> None:
    with pytest.raises(
        ws.DialectError, match=r"serves 'claude-3-haiku' in 'output'.*anthropic-non"
    ):
        ws.dialect_for("anthropic", "claude-3-haiku", "output")


def test_how_closely_a_row_names_a_model() -> None:
    models = Models(allow=("*", "qwen3*"), deny=("*-embedding",))
    assert [models.fit(m) for m in ("llama", "qwen3-32b", "qwen3-embedding")] == [0, 5, -1]
    assert Models(allow=("a",)).fit("b") == -1


def test_a_row_does_not_inherit_its_models() -> None:
    assert models_of("openai-compatible-strict").providers == ()


def test_an_api_that_nobody_knows_is_refused() -> None:
    with pytest.raises(ws.DialectError, match="'livee'"):
        ws.dialect_for("openai", "gpt-5", api="livee")
    for api in (None, "chat", "responses", "tool"):
        assert ws.dialect_for("openai", "gpt-5", api=api).id == "openai-strict"
