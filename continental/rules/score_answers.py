"""The referee's answers about scores, deals, hand sizes and suspension: a question as plain data in, plain data out."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Final

from continental.rules.audit import Entered, audit_hand
from continental.rules.citing import cite
from continental.rules.deals import deal
from continental.rules.errors import BadQuestion
from continental.rules.handsize import expected_cards
from continental.rules.notation import parse_cards
from continental.rules.parameters import RuleSet
from continental.rules.reading import (
    MOST_PLAYERS,
    question_keys,
    read_hand_number,
    read_players,
    sequence,
    text,
    whole_number,
    yes_or_no,
)
from continental.rules.rulesets import load
from continental.rules.scores import ABSENT, Entry, GameResult, HandScore, count_cards, hands_of_game, score_game, score_hand
from continental.rules.suspension import Resumption, judge_resumption
from continental.rules.wording_scores import SCORES

Question = Mapping[str, Any]
Answer = dict[str, Any]

MOST_CARDS: Final = 60
"""Most cards, held or missing, in one hand that is counted."""

MOST_POINTS: Final = 100_000
"""Greatest score of one hand that is believed."""

MOST_GAME: Final = 200
"""Most hands of a game that is played to a target."""

MOST_COUNT: Final = 500
"""Most turns, claims or cards laid in one hand that are believed."""

_ISO_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def reasons(rules: RuleSet, code: str, **params: object) -> list[Answer]:
    """Give the reason ``code`` once for each rule it stands on: ``{"rule", "text"}`` and its parameters."""
    sentence = SCORES[code].format(**params)
    return [{"rule": rule, "text": sentence, **params} for rule in cite(rules.id, code)]


def answer_count(question: Question) -> Answer:
    """Answer ``count``: the points of the cards left in one hand, with the charge for missing cards."""
    asked = question_keys(question, ("rules", "cards", "missing"))
    _read_common(asked)
    rules = load(asked["rules"])
    cards = _read_cards(asked["cards"], "cards")
    missing = whole_number(asked["missing"], "missing", 0, MOST_CARDS)
    counted = count_cards(rules, cards, missing)
    parts = [
        {"card": part.card, "points": part.points} if part.card else {"missing": part.missing, "points": part.points}
        for part in counted.parts
    ]
    found = reasons(rules, "score.count")
    if missing:
        found += reasons(rules, "score.missing-cards", missing=missing, each=rules.missing_card)
    return {"points": counted.points, "parts": parts, "reasons": found}


def answer_hand(question: Question) -> Answer:
    """Answer ``hand``: every player's score of one hand, with substitutes, or that it must be replayed.

    What the deck audit finds odd about the hand is asked under ``asks``, where there is anything; it changes no score.
    """
    asked = question_keys(question, ("rules", "players", "hand", "scores"))
    rules = load(asked["rules"])
    hand, players = read_hand_number(asked), read_players(asked)
    rules.hand(hand)
    entries, counted = _read_entries(rules, asked["scores"], players, "scores")
    scored = score_hand(entries)
    found = [reason for code, params in _hand_reasons(scored) for reason in reasons(rules, code, **params)]
    answer = {"scores": _hand_scores(scored, counted), "replay": scored.replay, "reasons": found}
    asks = _hand_asks(rules, hand, players, entries, asked["scores"])
    return {**answer, "asks": asks} if asks else answer


def _hand_asks(rules: RuleSet, hand: int, players: int, entries: Sequence[Entry], given: Sequence[object]) -> list[Answer]:
    entered = [
        Entered(None if entry == ABSENT else entry, parse_cards(score) if isinstance(score, str) and score != ABSENT else None)
        for entry, score in zip(entries, given, strict=True)
    ]
    return [
        reason | {"seats": list(question.seats)}
        for question in audit_hand(rules, hand, players, entered)
        for reason in reasons(rules, question.code, **question.params)
    ]


def answer_game(question: Question) -> Answer:
    """Answer ``game``: totals, whether the game is void, and places."""
    asked = question_keys(question, ("rules", "players", "hands"), ("left",))
    _read_common(asked)
    rules = load(asked["rules"])
    players = read_players(asked)
    if rules.target is None and not rules.hands:
        raise BadQuestion(f"the hands of “{rules.id}” are not in the source: enter them before play", "rules.hands")
    most = len(rules.hands) if rules.target is None else MOST_GAME
    hands = []
    for index, scores in enumerate(sequence(asked["hands"], "hands", MOST_GAME)):
        at = f"hands[{index}]"
        if index >= most:
            raise BadQuestion(f"this game has {most} hands", at)
        entries, _ = _read_entries(rules, scores, players, at)
        if score_hand(entries).replay:
            raise BadQuestion("fewer than two scores were given, so this hand must be replayed first", at)
        hands.append(entries)
    last = hands_of_game(rules, hands)
    if last is not None and last < len(hands):
        raise BadQuestion(f"the game was over after hand {last}", f"hands[{last}]")
    result = score_game(rules, hands, players=players, left=_read_left(asked.get("left", []), players))
    found = [reason for code, params in _game_reasons(rules, result) for reason in reasons(rules, code, **params)]
    totals = [None if total is None else {"points": total.points, "how": total.how} for total in result.totals]
    places = None if result.places is None else list(result.places)
    return {"totals": totals, "void": result.void, "places": places, "reasons": found}


def answer_deal(question: Question) -> Answer:
    """Answer ``deal``: packs, cards each, dealer and first player, contract, stock."""
    asked = question_keys(question, ("rules", "players", "hand"), ("first_dealer",))
    rules = load(asked["rules"])
    players = read_players(asked)
    first_dealer = whole_number(asked.get("first_dealer", 0), "first_dealer", 0, players - 1)
    dealt = deal(rules, read_hand_number(asked), players, first_dealer)
    return {
        "decks": dealt.decks,
        "jokers": dealt.jokers,
        "cards_each": dealt.cards_each,
        "dealer": dealt.dealer,
        "first": dealt.first,
        "contract": dealt.contract,
        "minimum": dealt.minimum,
        "stock": dealt.stock,
    }


def answer_size(question: Question) -> Answer:
    """Answer ``size``: how many cards a player should hold between turns."""
    asked = question_keys(question, ("rules", "players", "hand", "claims", "own_turns", "laid", "returned"))
    rules = load(asked["rules"])
    hand = read_hand_number(asked)
    players = read_players(asked)
    whole_number(asked["own_turns"], "own_turns", 0, MOST_COUNT)
    claims, laid, returned = (whole_number(asked[key], key, 0, MOST_COUNT) for key in ("claims", "laid", "returned"))
    cards = expected_cards(rules, hand, players, claims=claims, laid=laid, returned=returned)
    found = reasons(rules, "size.expected")
    if claims:
        found += reasons(rules, "size.claims", penalty=rules.hand(hand).penalty)
    if returned:
        found += reasons(rules, "size.returned")
    return {"cards": cards, "reasons": found}


def answer_resume(question: Question) -> Answer:
    """Answer ``resume``: may a suspended game go on?"""
    asked = question_keys(question, ("rules", "started", "on", "seats", "now"), ("between_hands",))
    _read_common(asked)
    rules = load(asked["rules"])
    started, on = _read_date(asked["started"], "started"), _read_date(asked["on"], "on")
    seats, now = _read_names(asked["seats"], "seats"), _read_names(asked["now"], "now")
    if len(seats) < 2:
        raise BadQuestion("a game has at least two players", "seats")
    between_hands = yes_or_no(asked.get("between_hands", True), "between_hands")
    judged = judge_resumption(started, on, seats, now, between_hands=between_hands)
    found = [reason for code, params in _resume_reasons(judged, started, seats) for reason in reasons(rules, code, **params)]
    return {"verdict": judged.verdict, "reasons": found}


# ---------------------------------------------------------------------------------------------------------------------
# Reading


def _read_common(asked: Question) -> None:
    """Check the common keys that a question carries without needing them."""
    if "players" in asked:
        read_players(asked)
    if "hand" in asked:
        read_hand_number(asked)


def _read_cards(value: object, at: str) -> tuple[str, ...]:
    cards = parse_cards(text(value, at, most=4000, least=0), at)
    if len(cards) > MOST_CARDS:
        raise BadQuestion(f"{len(cards)} cards are more than a hand can hold", at)
    return cards


def _read_entries(rules: RuleSet, value: object, players: int, at: str) -> tuple[list[Entry], set[int]]:
    """Read one hand's scores in seat order; also give the seats whose cards were counted here."""
    given = sequence(value, at, MOST_PLAYERS)
    if len(given) != players:
        raise BadQuestion(f"{len(given)} scores for {players} players", at)
    entries: list[Entry] = []
    counted = set()
    for seat, score in enumerate(given):
        place = f"{at}[{seat}]"
        if score is None or score == ABSENT:
            entries.append(score)
        elif isinstance(score, str):
            entries.append(count_cards(rules, _read_cards(score, place)).points)
            counted.add(seat)
        else:
            entries.append(whole_number(score, place, fewest_points(rules), MOST_POINTS))
    return entries, counted


def fewest_points(rules: RuleSet) -> int:
    """Give the lowest score a hand can have: 0, unless the rule set has bonuses or cards below zero."""
    values = [value for value in rules.card_values.values() if value is not None]
    return min(0, rules.out_in_one_turn) + min(0, rules.exact_cut) + MOST_CARDS * min(0, *values, 0)


def _read_left(value: object, players: int) -> set[int]:
    left: set[int] = set()
    for index, seat in enumerate(sequence(value, "left", MOST_PLAYERS)):
        number = whole_number(seat, f"left[{index}]", 0, players - 1)
        if number in left:
            raise BadQuestion(f"seat {number} is there twice", f"left[{index}]")
        left.add(number)
    return left


def _read_names(value: object, at: str) -> list[str]:
    return [text(name, f"{at}[{index}]") for index, name in enumerate(sequence(value, at, MOST_PLAYERS))]


def _read_date(value: object, at: str) -> date:
    read = text(value, at)
    if _ISO_DATE.fullmatch(read):
        try:
            return date.fromisoformat(read)
        except ValueError:
            pass
    raise BadQuestion("a date such as “2024-12-30” is wanted", at)


# ---------------------------------------------------------------------------------------------------------------------
# Reasons

Coded = tuple[str, dict[str, object]]


def _hand_scores(scored: HandScore, counted: set[int]) -> list[Answer]:
    return [
        {"points": score.points, "how": "counted" if seat in counted else score.how} for seat, score in enumerate(scored.seats)
    ]


def _hand_reasons(scored: HandScore) -> Iterator[Coded]:
    """Give the rules that bear on a hand: nothing for a hand in which everybody gave a score."""
    substituted = [score for score in scored.seats if score.how == "substituted"]
    if substituted:
        first, second = (scored.seats[seat].points for seat in substituted[0].from_seats)
        yield "score.substitute", {"first": first, "second": second}
        if second == 0:
            yield "score.substitute.zero", {}
        if first == second:
            yield "score.substitute.equal", {}
        if len(substituted) > 1:
            yield "score.substitute.several", {}
    if scored.replay:
        yield "score.replay", {}
    if any(score.how == "absent" for score in scored.seats):
        yield "score.absent", {}


def _game_reasons(rules: RuleSet, result: GameResult) -> Iterator[Coded]:
    """Give the rules that bear on a game, hand by hand, then the totals, then the places."""
    for number, hand in enumerate(result.hands, start=1):
        yield from ((code, params | {"hand": number}) for code, params in _hand_reasons(hand) if code != "score.absent")
    if result.void:
        yield "total.void", {}
    if result.places is None:
        return
    totals = [total for total in result.totals if total is not None]
    for seat, total in enumerate(totals):
        if total.how == "substituted":
            first, second = (totals[source].points for source in total.from_seats)
            yield "total.substitute", {"seat": seat, "first": first, "second": second}
        elif any(hand.seats[seat].how == "substituted" for hand in result.hands):
            yield "total.hand-substitute", {"seat": seat}
    if any(total.how == "substituted" for total in totals):
        yield "place.nonfinisher", {}
    if len(set(result.places)) < len(totals):
        yield "place.shared", {}
    if rules.tie_break == "hands-out" and len(set(result.places)) > len({total.points for total in totals}):
        yield "place.hands-out", {}


def _resume_reasons(judged: Resumption, started: date, seats: Sequence[str]) -> Iterator[Coded]:
    match judged.verdict:
        case "void":
            yield "resume.year", {"started": started.year}
            yield "resume.void", {}
            return
        case "wait":
            yield "resume.absent", {"names": ", ".join(judged.absent)}
        case "reseat":
            yield "resume.seats", {"names": ", ".join(seats)}
        case "resume":
            if judged.rotated:
                yield "resume.rotated", {}
            yield "resume.dealer", {}
    if judged.strangers:
        yield "resume.strangers", {"names": ", ".join(judged.strangers)}
    if not judged.between_hands:
        yield "resume.mid-hand", {}
