"""The providers' own clients send a planned request: their types take it, and a server on the loopback gets it intact."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from pydantic import TypeAdapter

import wireshape as ws

pytestmark = pytest.mark.sdk

ASK = [{"role": "user", "content": "hi"}]
FORM = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "description": "what it is"},
        "tags": {"type": "object", "additionalProperties": {"type": "integer"}},
        "due": {"type": ["string", "null"]},
    },
    "required": ["title"],
    "additionalProperties": False,
}
TOOLS = [ws.Tool("find files", FORM, "Finds files"), ws.Tool("now", None, "The time")]


class Recorder(BaseHTTPRequestHandler):
    """Keeps the body of each request and answers with nothing of interest."""

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        self.server.bodies.append(json.loads(self.rfile.read(length)))
        answer = b'{"error": {"message": "recorded"}}'
        self.send_response(400)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        """Stay silent."""


@pytest.fixture
def server():
    with ThreadingHTTPServer(("127.0.0.1", 0), Recorder) as http:
        http.bodies = []
        http.url = f"http://127.0.0.1:{http.server_address[1]}"
        thread = threading.Thread(target=http.serve_forever)
        thread.start()
        yield http
        http.shutdown()
        thread.join()


def openai_chat(url, fragment):
    openai = pytest.importorskip("openai")
    client = openai.OpenAI(base_url=url, api_key="k", max_retries=0)
    client.chat.completions.create(model="m", **{"messages": ASK, **fragment})


def openai_responses(url, fragment):
    openai = pytest.importorskip("openai")
    client = openai.OpenAI(base_url=url, api_key="k", max_retries=0)
    client.responses.create(model="m", **{"input": "hi", **fragment})


def anthropic_messages(url, fragment):
    anthropic = pytest.importorskip("anthropic")
    client = anthropic.Anthropic(base_url=url, api_key="k", max_retries=0)
    client.messages.create(model="m", max_tokens=9, **{"messages": ASK, **fragment})


def google_generate(url, fragment):
    genai = pytest.importorskip("google.genai")
    client = genai.Client(api_key="k", http_options={"base_url": url})
    apart = ("generationConfig", "contents")
    rest = {k: v for k, v in fragment.items() if k not in apart}
    client.models.generate_content(
        model="m",
        contents=fragment.get("contents", "hi"),
        config={**fragment.get("generationConfig", {}), **rest},
    )


def mistral_chat(url, fragment):
    mistral = pytest.importorskip("mistralai.client")
    client = mistral.Mistral(api_key="k", server_url=url)
    client.chat.complete(model="m", **{"messages": ASK, **fragment})


def groq_chat(url, fragment):
    groq = pytest.importorskip("groq")
    client = groq.Groq(base_url=url, api_key="k", max_retries=0)
    client.chat.completions.create(model="m", **{"messages": ASK, **fragment})


def cohere_chat(url, fragment):
    cohere = pytest.importorskip("cohere")
    client = cohere.ClientV2(api_key="k", base_url=url)
    client.chat(model="m", **{"messages": ASK, **fragment})


def bedrock_converse(url, fragment):
    boto3 = pytest.importorskip("boto3")
    client = boto3.client(
        "bedrock-runtime",
        endpoint_url=url,
        region_name="us-east-1",
        aws_access_key_id="k",
        aws_secret_access_key="s",
    )
    asked = [{"role": "user", "content": [{"text": "hi"}]}]
    client.converse(modelId="m", **{"messages": asked, **fragment})


CLIENTS = [
    ("openai-strict", "chat", openai_chat),
    ("openai-strict", "responses", openai_responses),
    ("openai-non-strict", "chat", openai_chat),
    ("openai-non-strict", "responses", openai_responses),
    ("azure-openai-strict", "chat", openai_chat),
    ("xai-strict", "chat", openai_chat),
    ("anthropic-strict", "messages", anthropic_messages),
    ("anthropic-non-strict", "messages", anthropic_messages),
    ("gemini-json-schema", "generate", google_generate),
    ("gemini-openapi", "generate", google_generate),
    ("mistral-strict", "chat", mistral_chat),
    ("groq-strict", "chat", groq_chat),
    ("cohere-tools", "chat", cohere_chat),
    ("bedrock-claude-strict", "converse", bedrock_converse),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("what", ["tools", "output", "both"])
@pytest.mark.parametrize(("dialect", "api", "client"), CLIENTS)
def test_a_client_sends_what_was_planned(server, dialect, api, client, what):
    row = ws.dialect(dialect)
    tools = [] if what == "output" else TOOLS
    form = None if what == "tools" else FORM
    plan = ws.plan(row, tools, form)
    fragment = plan.request(api)
    if not fragment:
        assert plan.output is not None and plan.prompt
        return
    # Each client has an error of its own for the 400; that it sent the request at all is asserted next.
    with pytest.raises(Exception, match=r"(?s).*"):
        client(server.url, fragment)
    assert server.bodies, "the client refused the request"
    sent = server.bodies[0]
    for key, value in fragment.items():
        assert same(sent[key], value), key


FIRST = {
    "messages": {"role": "user", "content": "hi"},
    "input": {"role": "user", "content": "hi"},
    "contents": {"role": "user", "parts": [{"text": "hi"}]},
}
SAID = [
    ws.Turn(
        [
            ws.Call("find files", {"title": "a", "tags": {"x": 1}}, "call_0123456789abcdef"),
            ws.Call("now", {}),
        ],
        [{"found": []}, ws.CallResult("no clock", failed=True)],
        text="Let me see.",
    ),
    ws.Turn([ws.Call("now", {})], ["noon"]),
    ws.Turn(text="It is noon."),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("dialect", "api", "client"), CLIENTS)
def test_a_client_sends_what_was_said_before(server, dialect, api, client):
    plan = ws.plan(dialect, TOOLS)
    key = {"responses": "input", "generate": "contents"}.get(api, "messages")
    first = {"role": "user", "content": [{"text": "hi"}]} if api == "converse" else FIRST[key]
    messages = plan.history([first, *SAID], api)
    with pytest.raises(Exception, match=r"(?s).*"):
        client(server.url, {**plan.request(api), key: messages})
    assert server.bodies, "the client refused the request"
    assert same(server.bodies[0][key], messages)


TYPES = [
    ("openai-strict", "chat", "openai.types.chat", "ChatCompletionMessageParam"),
    ("openai-strict", "responses", "openai.types.responses", "ResponseInputItemParam"),
    ("anthropic-strict", "messages", "anthropic.types", "MessageParam"),
    ("gemini-json-schema", "generate", "google.genai.types", "Content"),
    ("gemini-interactions", "interactions", "google.genai.interactions", "Step"),
    ("mistral-strict", "chat", "mistralai.client.models", "ChatCompletionRequestMessage"),
    ("groq-strict", "chat", "groq.types.chat", "ChatCompletionMessageParam"),
    ("cohere-tools", "chat", "cohere", "ChatMessageV2"),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("dialect", "api", "module", "name"), TYPES)
def test_the_types_of_a_client_take_what_was_said_before(dialect, api, module, name):
    types = pytest.importorskip(module)
    message = TypeAdapter(getattr(types, name))
    for said in ws.plan(dialect, TOOLS).history(SAID, api):
        message.validate_python(said)


def same(sent: object, planned: object) -> bool:
    """Whether everything planned was sent; a client may add defaults, and spell keys and types its own way."""
    if isinstance(planned, dict):
        if not isinstance(sent, dict):
            return False
        given = {k.replace("_", "").lower(): v for k, v in sent.items()}
        keys = {k: k.replace("_", "").lower() for k in planned}
        return all(keys[k] in given and same(given[keys[k]], v) for k, v in planned.items())
    if isinstance(planned, list):
        return (
            isinstance(sent, list) and len(sent) == len(planned) and all(map(same, sent, planned))
        )
    if isinstance(planned, str) and isinstance(sent, str):
        return sent == planned or sent == planned.upper()
    return sent == planned
