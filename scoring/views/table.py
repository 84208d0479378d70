"""The table page: contract, dealer, who is down, what is ruled and still to do, and what is next."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from players.permissions import Action
from scoring import messages, record, record_league, ruling_words
from scoring.load import Table
from scoring.proposals import proposal_lines
from scoring.views import league_desk
from scoring.views.common import Trouble, in_game, page
from scoring.views.score_sheet import sheet_page
from scoring.views.seat_lines import own_first, seat_lines


def table_page(request: HttpRequest, table: Table, trouble: Trouble | None = None) -> HttpResponse:
    """Show the table: contract, dealer, who is down, what is next."""
    if table.over:
        return sheet_page(request, table, trouble)
    countdown = table.state.countdown
    ended = table.state.ended_by
    context = {
        "hand": table.hand,
        "hand_rule": table.hand_rule,
        "contract": table.contract_of(table.hand.number),
        "deal": table.deal,
        "lines": own_first(seat_lines(request, table), table),
        "countdown": countdown,
        "next_turn": table.hand.turns + 1,
        "next_name": table.names[countdown.next_seat] if countdown else "",
        "last_name": table.names[countdown.last_seat] if countdown else "",
        "ended": messages.ENDED.get(ended),
        "next_stock": table.hand.stock_turned + 1,
        "tasks": [
            (task, ruling_words.task_words(task.what, table.names[task.seat] if task.seat is not None else ""))
            for task in table.hand.tasks
        ],
        "proposals": proposal_lines(table),
        "stock_left": table.rules.stock_turnovers - table.hand.stock_turned,
        "lapsed": record_league.has_lapsed(table.game, record.today(table.game.league)),
        **league_desk.for_table(table),
    }
    return page(request, "table", table, context, trouble)


@require_safe
@in_game(Action.VIEW_GAME)
def show_table(request: HttpRequest, table: Table) -> HttpResponse:
    return table_page(request, table)
