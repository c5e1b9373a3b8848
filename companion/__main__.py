"""`python -m companion`: the same as the command `companion`, which begins here too."""

import signal


def run() -> None:
    """The command. An interrupt while the parts are still loading ends it without a word, as it ends any program."""
    heeded = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # a shell's background job ignores it
    if heeded:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from companion.cli import main

    if heeded:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    main(prog_name="companion")


if __name__ == "__main__":
    run()
