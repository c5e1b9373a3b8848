"""The shapes that go in and out, said once: requests are measured with them and the API's document is made of them.

What lives here: the shapes as JSON Schema (`shapes` the parts, `requests` and `answers` the whole), and what ties a
handler to them (`openapi`). What may come in: the games, which say what a new table may be. What never does: a handler,
a table, the journal.
"""
