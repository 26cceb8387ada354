"""The registry of codes: each has one message template and one explanation, notes an effect; codes are never reused."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

Effect: TypeAlias = Literal["exact", "widened", "narrowed"]


class Code(NamedTuple):
    """`template` fills the message of a note or error, `about` is what `wireshape explain CODE` prints.

    `effect` is that of a note; errors and violations have none.
    """

    code: str
    effect: Effect | None
    quiet: bool
    template: str
    about: str


_TABLE = (
    # reading
    Code("WS101", "exact", True, "keyword {keyword!r} is not known and was ignored", "The source uses a keyword that its draft does not define. JSON Schema says such keywords assert nothing, so nothing is lost; check the spelling if it was meant to."),
    Code("WS102", "exact", True, "{keyword!r} beside `$ref` is ignored by this draft", "Drafts up to 7 ignore every keyword beside `$ref`. Assertions there never counted; texts are kept. Declare draft 2019-09 or later to make them count."),
    Code("WS103", "exact", True, "format {value!r} is not asserted in this draft", "The format is unknown to the draft of the source, so it is an annotation: it is told in the description and never checked."),
    Code("WS104", "exact", True, "`nullable` without null in `enum`: read as null allowed", "OpenAPI 3.0.3 read to the letter forbids null when `enum` does not list it; users mean null. The value null is accepted."),
    Code("WS110", None, False, "{value} is not a valid {keyword}; {hint}", "A keyword of the source has a value that its draft forbids, so nothing downstream could trust it."),
    Code("WS111", None, False, "{what} is not JSON", "A schema holds objects with string keys, arrays, strings of Unicode characters, finite numbers, booleans and null."),
    Code("WS112", None, False, "reference {value!r} does not resolve; {hint}", "References are followed inside the document and in `Options.registry`; nothing is ever fetched."),
    Code("WS113", None, False, "reference {value!r} leads back to itself without reaching a value ({hint})", "Such a definition says nothing about any value, and no validator could evaluate it."),
    Code("WS114", None, False, "the schema is {what}", "A limit that keeps work and memory bounded, far above what any provider takes."),
    Code("WS115", None, False, "draft {value!r} is not known; use one of {hint}", "See `Options.draft`."),
    Code("WS116", "exact", True, "`$schema` {value!r} is not known; read as {hint}", "The source names a metaschema that is not one of the drafts (or one of its own), so the latest draft is assumed."),
    Code("WS117", None, False, "no value satisfies this schema ({reason}); {remedy}", "The assertions of the source contradict each other, so nothing could ever be sent."),
    Code("WS118", None, False, "the arguments of a tool are an object; wrap the schema in a property", "Every provider takes an object of named arguments, and answers with one."),
    Code("WS120", None, False, "not an artifact ({reason}); {remedy}", "The text is not what `Compiled.to_json` wrote, or another version wrote it."),
    Code("WS121", None, False, "option {name!r} is {value}; use {choices}", "A field of `Options` holds a value that it cannot have."),
    Code("WS122", None, False, "argument {name!r} is {value}; give {wanted}", "A function was called with a value of another kind than it takes."),
    Code("WS130", None, False, "{wanted} must stand here; correct the document, or pass the part of it that holds the schemas", "A document that declares tools or the form of a reply has a known shape, and at this place of it stands something else."),
    Code("WS131", None, False, "{key!r} is no key that is read here; did you mean {hint!r}?", "A key of a tool or a request is nearly one that declares something, and would be passed over as it is spelt."),
    Code("WS150", None, False, "{what} has no JSON Schema: {reason}", "The source is no schema and no type, or a Python type that JSON Schema cannot describe, such as a callable."),
    Code("WS160", None, False, "line {line}, column {column}: {what}", "The text is not in the notation for schemas, and not JSON either. The message names the place and what could stand there; docs/notation.md has the grammar."),
    Code("WS161", None, False, "line {line}, column {column}: {what}", "The text is well-formed, but what it says has no meaning: a type that is not declared, an annotation that does not belong there, a value of the wrong kind."),
    # lowering: told, not enforced
    Code("WS201", "widened", False, "{keyword} is not enforced by {dialect}; checked by the gate{rules}", "The dialect refuses or ignores this assertion. The model is told in words; the gate checks the reply against the source schema."),
    Code("WS202", "widened", False, "{keyword} {value} is weakened to {weaker} for {dialect}; the rest is checked by the gate", "The dialect accepts the keyword with smaller operands only; the strongest true one is sent."),
    Code("WS203", "widened", False, "pattern {value!r} cannot be spelled in the regex dialect of {dialect}; checked by the gate", "The pattern uses a feature that the dialect's regular expressions lack (look-around, back-references ...)."),
    Code("WS204", "widened", False, "`oneOf` arms are not provably disjoint; sent as `anyOf`{rules}", "The wire accepts a value that fits several arms; the gate refuses it."),
    Code("WS205", "widened", False, "{count} enum values exceed {limit} of {dialect}; the plain type is sent, the values are listed in the description", "Truncating an enum would make values unreachable, so it is widened instead and the gate checks it."),
    Code("WS206", "widened", False, "format {value} is enforced roughly by {dialect}; checked by the gate", "The dialect's idea of this format differs from its definition at the edges: the 30th of February, a leap second at noon, an address that is too long."),
    # lowering: shape changes
    Code("WS210", "exact", True, "optional field is required and nullable on the wire; null decodes to absent", "The dialect requires every field, so null stands for an absent one."),
    Code("WS211", "narrowed", True, "null and absent are one on the wire (`absent=\"box\"` keeps them apart)", "The field admits null and the dialect requires every field. An absent field is sent as null and decodes to null."),
    Code("WS212", "exact", True, "optional value is boxed as {{value}} on the wire", "`absent=\"box\"`: null stands for absent, `{{\"value\": x}}` for x."),
    Code("WS213", "narrowed", True, "open object is closed: undeclared keys have no wire spelling (`open_objects=\"keep\"` keeps them)", "The source did not say `additionalProperties`; the dialect closes objects and so do most authors."),
    Code("WS214", "exact", True, "map is sent as an array of key-value pairs", "The dialect has no open maps. Duplicate keys on the wire are a DecodeError."),
    Code("WS215", "exact", True, "undeclared keys are sent as key-value pairs under {value!r}", "The dialect has no open objects. A pair that repeats a declared field, or another pair, is a DecodeError."),
    Code("WS216", "narrowed", True, "no `type` given: typed {value} by its keywords", "Strictly, a schema without `type` accepts values of every other type as well; nobody means that, and the dialect needs a type."),
    Code("WS217", "exact", True, "tuple is sent as an object with numbered keys", "The dialect has no positional arrays. A hole before a later item is a DecodeError."),
    Code("WS218", "widened", False, "tuple is sent as a list of any of its items; positions are checked by the gate", "The dialect has neither positional arrays nor closed numbered objects that would be shorter."),
    Code("WS219", "exact", True, "any value is sent in the recursive spelling of {dialect}", "Where the dialect closes objects, those inside it are `{{\"entries\": [{{\"key\", \"value\"}}]}}`."),
    Code("WS220", "exact", True, "any value is sent as JSON text ({field} = {value!r})", "Nothing in the dialect spells an arbitrary value. Text that is not JSON decodes to itself."),
    Code("WS221", "widened", False, "{what} is sent as JSON text ({field} = {value!r}){rules}", "The dialect cannot spell this node. Any JSON text passes the wire; the gate checks the value. Text that is not JSON is a DecodeError."),
    Code("WS222", "widened", False, "recursion through {names} is unrolled {count} times, then sent as JSON text ({field})", "The dialect accepts no recursion, or only through optional fields."),
    Code("WS223", "exact", True, "union arms are tagged {{arm, value}}", "The arms decode differently and their wire values cannot be told apart."),
    Code("WS224", "exact", True, "enum values are sent as strings", "The dialect has string enums only; a table maps them back."),
    Code("WS225", "exact", True, "root is wrapped under {value!r}", "The dialect needs an object at the root."),
    Code("WS226", "exact", True, "key is renamed to {value!r} on the wire", "The dialect refuses some characters or lengths in keys."),
    Code("WS227", "widened", False, "key rules overlap: a pair's value may follow any of them; checked by the gate{rules}", "Which rule binds depends on the key, and no wire schema can say so."),
    Code("WS228", "exact", True, "{keyword} is told in the description", "An annotation that the dialect does not accept."),
    Code("WS229", "widened", False, "{keyword} cannot be asserted on the wire shape; checked by the gate{rules}", "The wire shape differs from the source, so the assertion would speak about other values."),
    Code("WS230", "widened", False, "an undeclared or forbidden key cannot be refused by {dialect}", "The dialect cannot close this object, or cannot forbid one key of an open one. A renamed key that is also given under its source name is a DecodeError."),
    Code("WS231", "exact", True, "{keyword} is left out", "An annotation that the dialect does not accept and that tells a model nothing."),
    Code("WS232", "narrowed", True, "an undeclared key named {value} has no wire spelling: it is the wire name of another key", "A declared key was renamed because the dialect refuses it, and the object is open, so the new name may also be a key of its own."),
    Code("WS233", "exact", True, "null is sent by leaving the key out", "The dialect has no null. The field is always there in the source, so an absent key can only mean null."),
    Code("WS234", "narrowed", True, "null and absent are one on the wire: the key is left out", "The dialect has no null, and the field may be absent or null. Both are sent by leaving the key out, which decodes to absent."),
    Code("WS235", "exact", True, "optional field may be null on the wire too; null decodes to absent", "Models send null for fields that they could leave out, and the host validates what they send."),
    Code("WS240", "exact", True, "{keyword} is sent as alternatives, one per case", "The dialect has no such keyword. What it decides on has few values, so one arm per case says the same."),
    Code("WS241", "widened", True, "1.0 is no integer in {draft}, and the wire takes it; checked by the gate", "Draft 4, and with it OpenAPI 3.0, asks for a number that is written without a fraction. Dialects go by the value, as later drafts do."),
    Code("WS242", "exact", True, "optional fields are sent as `{{field, value}}` entries under {value!r}: {what} is {count}, over the limit of {limit} ({field})", "As many optional fields as you like cost nothing when they travel in one array. Two entries for one field are a DecodeError."),
    Code("WS243", "exact", True, "nested part is sent as the definition {value!r}: {what} is {count}, over the limit of {limit} ({field})", "The dialect counts nesting per definition, so what lies deeper becomes a definition of its own."),
    Code("WS244", "widened", False, "enum is sent as its plain type, its values listed in the description: {what} is {count}, over the limit of {limit} ({field})", "The enums of this schema hold more than the dialect takes. The largest give way first; the gate checks their values."),
    Code("WS245", "widened", False, "maxItems {value} is not sent: {what} is {count}, over the limit of {limit} ({field})", "The dialect limits what all `maxItems` of a schema add up to. The largest give way first; the gate checks them."),
    Code("WS246", "exact", True, "description is cut to {value} characters, so that the schema fits the size that the dialect takes", "The text binds nothing. The longest descriptions are cut first, and none to less than a sentence."),
    # limits
    Code("WS301", None, False, "{what} is {count}, over the limit of {limit} ({field}), and nothing cheaper is left to send; largest: {largest}", "The dialect documents a limit that this schema exceeds in every spelling, even as JSON text. Split the schema, or use the relaxed dialect of the family."),
    # whole requests
    Code("WS302", None, False, "{name!r} cannot be strict: {why}; make other items less strict, or split the request", "An item of a plan must be strict, and the limits that the whole request shares do not allow it."),
    Code("WS303", None, False, "{dialect} takes {limit} tools in one request; leave some out, or split the request", "The dialect documents how many tools a request may hold."),
    Code("WS501", None, False, "{what}; {remedy}", "A request fragment was asked for an API that the row does not state, or no API of the row carries what a plan holds."),
    Code("WS502", None, False, "the result of {name!r} {what}", "A tool declares the form of its results, and this result has another. The server is at fault; ask its author, or leave out the declaration."),
    Code("WS503", None, False, "the tools of {name!r} cannot be listed: {reason}", "A server was asked for its tools and could not be reached or started, or gave no answer."),
    # acceptor: violations of a dialect's rules by a wire schema
    Code("WS401", None, False, "{what} ({rule}); {remedy}", "The schema uses a keyword that the dialect refuses or does not know; the provider answers such a schema with an error."),
    Code("WS402", None, False, "{what} ({rule}); {remedy}", "The dialect takes the keyword and does not enforce it, so it binds nothing. The compiler never sends such a keyword: it tells the rule in the description."),
    Code("WS403", None, False, "{what} ({rule}); {remedy}", "This is not a well-formed JSON Schema: a keyword holds a value of the wrong type."),
    Code("WS404", None, False, "{what} ({rule}); {remedy}", "The root of the schema has a form that the dialect refuses there."),
    Code("WS405", None, False, "{what} ({rule}); {remedy}", "An object is spelled in a way that the dialect refuses: it is open, has optional fields, has no properties, or has keys of a refused form."),
    Code("WS406", None, False, "{what} ({rule}); {remedy}", "The value null is admitted in a spelling that the dialect does not read."),
    Code("WS407", None, False, "{what} ({rule}); {remedy}", "The dialect needs every schema to be an object, or to say its type."),
    Code("WS408", None, False, "{what} ({rule}); {remedy}", "A combinator, or something beside one, has a form that the dialect refuses."),
    Code("WS409", None, False, "{what} ({rule}); {remedy}", "A reference points nowhere, at a place that the dialect does not resolve, or has refused neighbours."),
    Code("WS410", None, False, "{what} ({rule}); {remedy}", "The schema is recursive in a way that the dialect refuses, or refers to itself without a value in between."),
    Code("WS411", None, False, "{what} ({rule}); {remedy}", "An enum or const holds values, or a number of values, that the dialect refuses."),
    Code("WS412", None, False, "{what} ({rule}); {remedy}", "A format or regular expression is one that the dialect cannot enforce."),
    Code("WS413", None, False, "{what} ({rule}); {remedy}", "An array is spelled in a way that the dialect refuses."),
    Code("WS414", None, False, "{what} ({rule}); {remedy}", "A documented ceiling of the dialect is exceeded; expect the provider to refuse the request."),
    Code("WS416", None, False, "{what} ({rule}); {remedy}", "This is not a well-formed grammar: it cannot be read, or names what is not defined."),
    Code("WS417", None, False, "{what} ({rule}); {remedy}", "The grammar uses a feature that the dialect's engine does not have, or a count beyond what it takes."),
    Code("WS418", None, False, "{what} ({rule}); {remedy}", "A tool of a list has no name, one that the dialect refuses, or that of another tool. `wireshape plan` finds names that it takes, and maps them back."),
    Code("WS415", None, False, "{what} ({rule}); {remedy}", "A bound is larger than what the dialect enforces, so it may not hold."),
    # values
    Code("WS601", None, False, "{what}; {remedy}", "The value does not satisfy the source schema; the pointer says where."),
    Code("WS602", None, False, "{what}", "The value satisfies the JSON Schema, and the Python type refuses it: a validator of the model, or a rule that JSON Schema cannot say."),
    Code("WS603", None, False, "{what} cannot be written as JSON: {reason}", "Something in the value is neither JSON nor an instance that pydantic can write as JSON, or what pydantic writes does not read back as the instance."),
    Code("WS610", None, False, "nested too deeply to be decoded; {remedy}", "The wire value is deeper than what is decoded."),
    Code("WS611", None, False, "not a pair; {remedy}", "A map travels as an array of `{{key, value}}` objects, and an item of this array is none."),
    Code("WS612", None, False, "pair repeats the key {value!r}; {remedy}", "Two pairs of a map, or a pair and a declared field, name the same key. Picking one would lose the other."),
    Code("WS613", None, False, "position {value} is absent but a later one is given; {remedy}", "A tuple travels as an object with numbered keys, and an array cannot have a hole."),
    Code("WS614", None, False, "not JSON text ({reason}); {remedy}", "This place travels as JSON text, and the text does not parse."),
    Code("WS615", None, False, "no arm of the union fits this value; {remedy}", "The wire value fits none of the alternatives that the wire schema lists here."),
    Code("WS616", None, False, "not an entry; {remedy}", "Optional fields travel as an array of `{{field, value}}` objects here, and an item of this array is none, or names no field."),
    Code("WS617", None, False, "entry repeats the field {value!r}; {remedy}", "Two entries name the same field, or an entry names one that is also given in place. Picking one would lose the other."),
    Code("WS620", None, False, "not a JSON value ({reason}); {remedy}", "The value holds something that JSON has no word for: NaN, a set, a key that is no string, a lone surrogate, itself."),
    Code("WS621", None, False, "array of {count} items where at most {limit} are allowed", "A tuple that travels as an object with numbered keys has no place for more items."),
    Code("WS622", None, False, "no arm of the union can spell this value on the wire", "The value fits no alternative of the source, or only ones whose wire form cannot say it; the report tells what each lost."),
    Code("WS624", None, False, "{value!r} is the wire name of another key", "A declared key was renamed for the dialect, and the value holds an undeclared key of the new name."),
    Code("WS625", None, False, "null has no wire spelling here: it stands for an absent key", "The dialect requires every field, so null on the wire means that the key is absent; the field itself does not admit null there."),
    Code("WS626", None, False, "{given} results for {asked} calls; give each call one, in the order of the calls", "A turn of a history holds more results than calls, so some would be lost."),
    Code("WS623", None, False, "no wire spelling: {reason}", "A narrowed note of the report bites here, or the value is not valid to begin with."),
    # replies
    Code("WS630", None, False, "{what}", "The text is not JSON at the offset, and what was meant there is not certain enough to be repaired."),
    Code("WS631", None, False, "the key {value!r} is given twice", "An object names a key twice. Picking one of the two would lose the other."),
    Code("WS632", None, False, "{value} is no JSON number", "NaN, an infinity, or a number beyond the range of floating point; JSON has no word for them."),
    Code("WS633", None, False, "{what}, which is no Unicode text", "A lone surrogate, or bytes that are not UTF-8; no other program could read such a text."),
    Code("WS634", None, False, "{what}", "The reply is larger, deeper or more broken than what is read: at most 1,048,576 characters and 128 containers inside one another."),
    Code("WS635", None, False, "the text ends inside a value", "The reply was cut off, which the text itself or the finish reason tells. What is missing is not made up; `partial` holds what was complete."),
    Code("WS636", None, False, "{count} different values, each of which would do", "The reply can be read in two ways that both satisfy the schema, so neither is taken."),
    Code("WS637", None, False, "no JSON in the text", "The reply is empty, prose, or reasoning without an answer."),
    Code("WS638", None, False, "a call of {value!r}, which is not {name!r}", "The reply holds a tool call that names something else, or has no name or arguments."),
    Code("WS640", None, False, "the model refused", "The response says that the model declined; asking again in the same way seldom helps."),
    Code("WS641", None, False, "the provider stopped it: {reason}", "A filter of the provider ended the response."),
    Code("WS642", None, False, "neither text nor a call", "The response body has nothing where the API of the dialect puts answers."),
    Code("WS643", None, False, "there is no tool {name!r}; {remedy}", "The response calls a tool that the request did not offer."),
    Code("WS644", None, False, "the provider answered with an error: {reason}", "The response is an error body. When it repeats what the model wrote, that is read like any reply, and this only tells where it came from."),
    Code("WS645", None, False, "the output came beside other calls and is left out", "The reply calls tools and gives the output at once. The calls come first; the output belongs to a later turn."),
    Code("WS646", None, False, "the provider could not read the call: {reason}", "The response says that the model wrote a call which the provider could not parse, and does not repeat it in a form that could be read for certain."),
    Code("WS647", None, False, "no arguments came with the call", "A call without arguments stands for an empty object, and this tool needs some."),
    # dialect rows
    Code("WS701", None, False, "no dialect is called {value!r}; {remedy}", "The id names no built-in row. `wireshape dialects` lists them; a row of your own is read with `load_dialect(path)`."),
    Code("WS702", None, False, "{value}: {what}", "The row file cannot be read, or a field of it is unknown or holds a value that is not allowed there."),
    Code("WS703", None, False, "{value}: {what}", "Each field of the row is fine by itself, but together they describe a dialect that cannot exist or that nothing can be spelled in."),
    Code("WS704", None, False, "{what}; {remedy}", "`dialect_for` picks a row by the patterns of model names that the rows state, and none of them fits. Name a row by its id, or load one of your own with `load_dialect(path)`."),
)  # fmt: skip

CODES: dict[str, Code] = {c.code: c for c in _TABLE}
