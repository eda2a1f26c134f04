"""How commands are grouped, and their options in the help; a group suggests the near command."""

from collections import defaultdict
from difflib import get_close_matches
from typing import Any

import click

GATES, RARE = "Gates", "Rarely needed"


class PlacedOption(click.Option):
    """An option that stands under a heading of its own in the help."""

    def __init__(self, *args: Any, section: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.section = section


class Sectioned(click.Command):
    """In its help the options that have no heading come first; what is rarely needed stands last."""

    own = "Options"
    order = ("This suite", "Every run", GATES)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        titles = (self.own, *self.order)
        sections: defaultdict[str, list[tuple[str, str]]] = defaultdict(list, {title: [] for title in titles})
        for option in self.params:
            if isinstance(option, click.Option) and (record := option.get_help_record(ctx)):
                placed = isinstance(option, PlacedOption) and option.section
                sections[placed or self.own].append(record)
        help_option = self.get_help_option(ctx)
        if sections[self.own] and help_option and (record := help_option.get_help_record(ctx)):
            sections[self.own].append(record)
        for title in sorted(filter(sections.get, sections), key=RARE.__eq__):
            with formatter.section(title):
                formatter.write_dl(sections[title])


class Group(click.Group):
    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if not name.startswith("-") and self.get_command(ctx, name) is None:
            near = get_close_matches(name, self.list_commands(ctx), n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise click.UsageError(f"there is no command {name!r}{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What each is for, in full: a sentence that ends in dots tells nothing."""
        found = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl([(name, one.get_short_help_str(limit=200)) for name, one in found if one])
