"""Cameras at tables: which source watches which table, and what becomes of what it sees.

What lives here: the cameras of all tables (`cameras`), one table under one (`table`), what it asks people
(`asking`), which part of a picture is the table (`calibrate`). What may come in: vision, the comparison of seen and
expected (`companion.table`), the journal, the bus that tells the listeners. What never does: a request, a role.
"""
