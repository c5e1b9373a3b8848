"""`python -m companion`: the same as the command `companion`."""

from companion.cli import main

if __name__ == "__main__":
    main(prog_name="companion")
