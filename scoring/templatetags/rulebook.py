"""Rules of the rule book in templates: their texts in the page's language, and links to them."""

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from continental.rules import catalogue
from continental.rules.cards import Laid
from continental.rules.catalogue import Rule, rules
from continental.rules.notation import parse_laid
from continental.rules.parameters import RuleSet
from continental.rules.texts import Text
from continental.templatetags.table import draw, laid_name
from scoring import sheet_words
from scoring.sheet_words import face

register = template.Library()


@register.simple_tag
def rule(rule_id: str) -> SafeString:
    """Show the id of a rule as a link to what it says; an id that no rule has stays a word."""
    if rule_id not in rules():
        return format_html('<span class="rule-id">{}</span>', rule_id)
    return format_html('<a class="rule-id" href="{}">{}</a>', reverse("scoring:rule", args=[rule_id]), rule_id)


@register.simple_tag
def reminders(sheet: RuleSet, place: str) -> tuple[Rule, ...]:
    """Give the rules that nobody but the players can keep, for the part of the table page where they are wanted."""
    return catalogue.reminders(sheet, place)


@register.filter
def say(text: Text | None) -> str:
    """Say a text that is kept in both languages in the page's own."""
    return text.say(get_language() or "en") if text else ""


@register.filter
def game_name(rules: RuleSet) -> str:
    """Give what people call a game."""
    return sheet_words.game_name(rules)


@register.filter
def rule_text(found: Rule) -> str:
    """Give what a rule says in the page's language."""
    return say(found.text)


@register.filter
def drawn(laid: Laid) -> SafeString:
    """Draw a card as it lies."""
    return draw(laid)


@register.filter
def named(laid: Laid) -> str:
    """Name a card as it lies."""
    return laid_name(laid)


@register.filter
def written_all(cards: str) -> str:
    """Write the cards of a meld as people do; a joker that was spoken for with what it stands for."""
    laid = (part for token in cards.split() for part in parse_laid(token))
    return " ".join(f"{face(item.card)}={face(item.spoken)}" if item.spoken else face(item.card) for item in laid)


@register.filter
def written(card: str) -> str:
    """Write a card as people do: 10♥, ★."""
    return face(card)
