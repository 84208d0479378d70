"""``{% may "SCORE" league as may_score %}``: templates ask the one place that answers, and never look at a role."""

from django import template
from django.template.context import RequestContext

from players.models import League
from players.permissions import Action, actor_of
from players.permissions import may as actor_may

register = template.Library()


@register.simple_tag(takes_context=True)
def may(context: RequestContext, action: str, league: League) -> bool:
    """Tell whether whoever asked for the page may take this action in the league; False where nobody did."""
    request = context.get("request")
    return request is not None and actor_may(actor_of(request), Action[action], league)
