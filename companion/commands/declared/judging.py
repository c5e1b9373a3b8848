"""What the referee knows: a hand's worth, odds, rankings, a game replayed."""

from __future__ import annotations

from pathlib import Path

import click

from companion.commands.declared.options import AS_JSON, DATA, HOUSE_RULES, LANG, house_rules, rankings_begun


@click.command()
@click.option(
    "--ranking", metavar="R", required=True, shell_complete=rankings_begun, help="52D2, M9D4C3, T44D1, 65, five-card …"
)
@HOUSE_RULES
@AS_JSON
@LANG
@click.argument("cards", nargs=-1, required=True, metavar="CARD...")
def hand(ranking: str, options: tuple[str, ...], as_json: bool, lang: str | None, cards: tuple[str, ...]) -> None:
    """Say what a hand is worth in a deck, or what is wrong with it.

    After the category: + what else it could count as, - why no stronger category holds, = what decides a tie.
    """
    from companion.commands import hand
    from companion.commands.decks import ranking_named
    from companion.commands.language import chosen

    laid, rules = hand.split(cards), house_rules(options)
    ranking = ranking_named(ranking, rules)
    if as_json:
        click.echo(hand.hand_json(ranking, rules, laid))
        return
    for line in hand.hand_lines(ranking, rules, laid, chosen(lang)):
        click.echo(line)


@click.command()
@HOUSE_RULES
@AS_JSON
@LANG
@click.argument("ranking", metavar="RANKING", shell_complete=rankings_begun)
def odds(ranking: str, options: tuple[str, ...], as_json: bool, lang: str | None) -> None:
    """Count exactly how many hands make each category of RANKING (52D2, M9D4C3, T44D1, 65, five-card)."""
    from companion.commands import hand
    from companion.commands.decks import ranking_named
    from companion.commands.language import chosen

    rules = house_rules(options)
    ranking = ranking_named(ranking, rules)
    if as_json:
        click.echo(hand.odds_json(ranking, rules))
        return
    for line in hand.odds_lines(ranking, rules, chosen(lang)):
        click.echo(line)


@click.command()
@AS_JSON
def rankings(as_json: bool) -> None:
    """List every ranking that `hand` and `odds` know: its deck, its categories, its house rules and their values."""
    from companion.commands import rankings

    click.echo(rankings.as_json() if as_json else "\n".join(rankings.as_table()))


@click.command()
@AS_JSON
@LANG
@DATA
@click.argument("record", metavar="RECORD", type=click.Path(dir_okay=False, path_type=Path))
@click.pass_context
def referee(ctx: click.Context, as_json: bool, lang: str | None, data: Path | None, record: Path) -> None:
    """Replay a game record (- for standard input): each action's ruling, then the scores line by line.

    Exit code 1 where the record says something else than the referee.
    """
    from companion.commands import referee
    from companion.commands.games import with_games
    from companion.commands.language import chosen

    with_games(data)
    game = referee.record_of(record)
    result = referee.report(game)
    if as_json:
        click.echo(referee.as_json(result))
        return
    for line in referee.lines(game, result, chosen(lang)):
        click.echo(line)
    if result["differences"]:
        click.echo("Differs: " + "; ".join(result["differences"]), err=True)
        ctx.exit(1)


COMMANDS = (hand, odds, rankings, referee)
