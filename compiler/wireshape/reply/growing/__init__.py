"""Values that grow: from the beginning of a JSON text to the beginning of the decoded value, never shown before it is certain."""
