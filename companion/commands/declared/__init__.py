"""The commands there are, with their options and help, by subject: a file a subject.

What lives here: declarations. They load the work behind a command when it is called, so that the help comes at once,
and print what it answers. `COMMANDS` of each file are those that `companion.cli` puts on its list; `options` is what
several of them take. What never does: work of more than a few lines, which stands beside this folder.
"""
