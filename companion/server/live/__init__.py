"""Who listens to a table, and how they learn of what happens there.

What lives here: change counters and listeners (`stream`), the loop that sends to all of them (`threadless`), and the
listeners as the host sees them (`devices`). What may come in: who may do what (`access`). What never does: what a
picture shows; whoever streams hands in how it is drawn.
"""
