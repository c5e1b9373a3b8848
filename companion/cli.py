"""The command line: thin wrappers around the rooms, with one-sentence errors and exit code 2.

What holds for every command stands here. The commands with their options stand in `companion.commands.declared`, by
subject; what they do, in `companion.commands`.
"""

from __future__ import annotations

import io
import sys
from typing import Any

import click

from companion import __version__
from companion.commands import INTERRUPTED, CommandError
from companion.commands.declared import decks, eyes, games, judging, server


class OneSentence(click.ClickException):
    """A user's error: printed as one sentence, exit code 2."""

    exit_code = 2


class Commands(click.Group):
    """A command group that turns every error of our own into `OneSentence`; nobody sees a traceback."""

    def main(self, *args: Any, **more: Any) -> Any:
        for stream in (sys.stdout, sys.stderr):  # what a terminal cannot show is a question mark there, no error
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")
        return super().main(*args, **more)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        found = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        with formatter.section("Commands"):
            formatter.write_dl([(name, one.get_short_help_str(limit=1000)) for name, one in found if one is not None])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except KeyboardInterrupt:
            click.echo(err=True)
            ctx.exit(INTERRUPTED)
        except BrokenPipeError:
            ctx.exit(0)
        except OSError as error:
            raise OneSentence(f"{error.strerror or error}: {error.filename or ''}".rstrip(": ")) from error
        except Exception as error:
            if _interrupted(error):
                click.echo(err=True)
                ctx.exit(INTERRUPTED)
            if type(error).__module__.startswith("companion."):
                raise OneSentence(str(error)) from error
            raise


def _interrupted(error: BaseException | None) -> bool:
    """Whether Ctrl-C lies behind an error: a compiled library that is loading makes an ImportError of it."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="companion")
def main() -> None:
    """Table Companion: reads real cards on a real table, referees and scores.

    Cards are written rank then suit: A 2 … 10 J Q K and S H D C (spades, hearts, diamonds, clubs), jokers JK1 JK2;
    T for 10 and the signs ♠♥♦♣ are understood too.

    \b
    Environment:
      COMPANION_DATABASE   as --database of serve and doctor
      COMPANION_RUNTIME    onnxruntime or openvino: what the networks run with
      COMPANION_THREADS    threads that reading uses, 1 or more; 2 if unset
      XDG_DATA_HOME        Linux: where the data folder lies; ~/.local/share if unset
      LC_ALL, LANG         ja…: the commands speak Japanese
    """


@main.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print what lets SHELL complete commands, options and their values.

    bash: companion completion bash > ~/.local/share/bash-completion/completions/companion

    zsh: companion completion zsh > a folder of $fpath, as _companion

    fish: companion completion fish > ~/.config/fish/completions/companion.fish
    """
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    if found is None:
        raise CommandError(f"no completion is known for {shell}.")
    click.echo(found(main, {}, "companion", "_COMPANION_COMPLETE").source())


for subject in (server, eyes, decks, judging, games):
    for command in subject.COMMANDS:
        main.add_command(command)


if __name__ == "__main__":
    main()
