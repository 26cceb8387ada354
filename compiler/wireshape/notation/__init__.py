"""The notation for schemas: a small type language; text becomes a tree (`grammar`), a tree nodes (`nodes`), or text again (`layout`).

    /// A thing on a shelf.
    { name: string @min(1), size?: integer | null = null, tags: string[] @unique }

`source` reads a text as a schema, `format` lays it out; `wireshape.emit.notation` writes a graph.
"""
