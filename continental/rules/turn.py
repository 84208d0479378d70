"""One turn, played action by action, with every fault noted."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from continental.rules.cards import Laid
from continental.rules.errors import BadQuestion
from continental.rules.faults import Fault
from continental.rules.layoffs import can_extend, extend, new_faults, swap_wild
from continental.rules.melds import Meld, Wanted, judge_meld
from continental.rules.notation import sort_cards
from continental.rules.openings import WHOLE, Opening, judge_opening, without_first
from continental.rules.takebacks import without_taken_back
from continental.rules.turn_question import Action, Lying, TurnQuestion

_LAYING: Final = frozenset({"open", "meld", "layoff", "swap"})


@dataclass(frozen=True, slots=True)
class Note:
    """A fault or a question with the action and the meld it belongs to."""

    action: int | None
    meld: str | None
    fault: Fault


@dataclass(slots=True)
class Played:
    """What came of playing a turn, action by action.

    Attributes:
        faults: every fault, in the order of the actions.
        questions: what the player must say.
        table: the melds on the table after the turn.
        held: the cards left in hand; ``None`` where the question did not say what was held.
        opened: the player is down after the turn.
        opening: what was laid in going down this turn, and how it was judged.
        discards: the cards discarded.
        own: the ids of the melds laid this turn.
    """

    faults: list[Note] = field(default_factory=list)
    questions: list[Note] = field(default_factory=list)
    table: dict[str, Lying] = field(default_factory=dict)
    held: list[str] | None = None
    opened: bool = False
    opened_now: bool = False
    opening: Opening | None = None
    opening_action: Action | None = None
    discards: list[str] = field(default_factory=list)
    own: list[str] = field(default_factory=list)

    @property
    def left(self) -> list[str]:
        """Give the cards left in hand, sorted."""
        return sort_cards(self.held or ())

    @property
    def verdict(self) -> str:
        """Give ``legal``, ``illegal`` or ``unclear``."""
        return "illegal" if self.faults else "unclear" if self.questions else "legal"


def play(question: TurnQuestion) -> Played:
    """Play a turn: judge its actions in order, then what the end of a turn asks for."""
    return _Turn(question).play()


class _Turn:
    """One turn being played."""

    def __init__(self, question: TurnQuestion) -> None:
        self.asked = question
        self.rules = question.rules
        self.hand = question.hand
        self.free = question.hand.contract is None
        held = None if question.held is None else list(question.held)
        down = self.free or question.player in question.opened
        self.now = Played(table={lying.id: lying for lying in question.table}, held=held, opened=down)
        self.named = {lying.id for lying in question.table}
        self.down: list[tuple[Laid, ...]] = []
        """The melds with which the player went down in this turn, as they were laid."""
        self.laid_melds = sum(len(action.melds) for action in question.actions if action.do in {"open", "meld"})

    def play(self) -> Played:
        live, refused = without_taken_back(self.asked.actions)
        if self.asked.drawn is not None and self.now.held is not None and self.asked.drawn not in self.now.held:
            self._fault(None, None, Fault("entry.not-held", "entry.not-held", (self.asked.drawn,)))
        for action in live:
            self._judge(action)
        for number, fault in refused:
            self._fault(number, None, fault)
        if self.now.held is not None and not self.asked.claimed:
            self._end_of_turn()
        self.now.faults.sort(key=lambda note: len(self.asked.actions) if note.action is None else note.action)
        return self.now

    def _fault(self, action: int | None, meld: str | None, fault: Fault) -> None:
        self.now.faults.append(Note(action, meld, fault))

    def _judge(self, action: Action) -> None:
        if self.now.discards:
            self._fault(action.number, None, Fault("turn.end-discard", "turn.after-discard", cards_of(action)))
        if action.do in _LAYING:
            if self.asked.claimed:
                self._fault(action.number, None, Fault("claim.no-play", "claim.no-play", cards_of(action)))
            if self.hand.ends_game and self.asked.opened:
                self._fault(action.number, None, Fault("final.ends-game", "final.over", cards_of(action)))
        self._take_from_hand(action)
        match action.do:
            case "open":
                self._open(action)
            case "meld":
                self._meld(action)
            case "layoff":
                self._lay_off(action)
            case "swap":
                self._swap(action)
            case _:
                self._discard(action)

    def _take_from_hand(self, action: Action) -> None:
        held = self.now.held
        if held is None:
            return
        missing: list[str] = []
        for card in cards_of(action):
            if card in held:
                held.remove(card)
            else:
                missing.append(card)
        if missing:
            self._fault(action.number, action.meld or None, Fault("entry.not-held", "entry.not-held", tuple(missing)))

    # -- Laying down ------------------------------------------------------------------------------------------------

    def _open(self, action: Action) -> None:
        if self.now.opened and not self.free:
            allowed = self._may_lay_more()
            if not allowed:
                self._fault(action.number, None, Fault("open.no-new-melds", "open.again", cards_of(action)))
            for laid in action.melds:
                self._put_new_meld(action, laid, allowed=allowed)
            return
        opening = self._go_down(action.melds)
        ids = [self._put(meld) for meld in opening.melds]
        for number, fault in opening.faults:
            self._fault(action.number, None if number == WHOLE else ids[number], fault)
        for number, fault in opening.questions:
            self.now.questions.append(Note(action.number, ids[number], fault))
        self.now.opening = opening
        self.now.opening_action = action
        self.now.opened = self.now.opened_now = True

    def _go_down(self, melds: Sequence[tuple[Laid, ...]]) -> Opening:
        """Judge melds together with those with which the player went down before in this turn."""
        before = len(self.down)
        self.down += melds
        return without_first(judge_opening(self.down, self.rules, self.hand), before)

    def _may_lay_more(self) -> bool:
        """Tell whether a player who is down may lay new melds: in the turn of going down another rule holds than later."""
        return self.free or (self.rules.extra_melds_opening if self.now.opened_now else self.rules.extra_melds_later)

    def _meld(self, action: Action) -> None:
        allowed = self.now.opened and self._may_lay_more()
        if not self.now.opened:
            self._fault(action.number, None, Fault("open.before-any", "open.before-any", cards_of(action)))
        elif not allowed:
            self._fault(action.number, None, Fault("open.no-new-melds", "open.new-meld", cards_of(action)))
        self._put_new_meld(action, action.melds[0], allowed=allowed)

    def _put_new_meld(self, action: Action, laid: tuple[Laid, ...], *, allowed: bool) -> None:
        """Judge a meld and put it on the table: in the turn of going down beside the others, later by itself."""
        if allowed and (self.free or self.now.opened_now):
            opening = self._go_down((laid,))
            name = self._put(opening.melds[0])
            for _, fault in opening.faults:
                self._fault(action.number, name, fault)
            for _, question in opening.questions:
                self.now.questions.append(Note(action.number, name, question))
            return
        as_set = judge_meld(laid, self.rules, Wanted("set", self.rules.min_set))
        as_run = judge_meld(laid, self.rules, Wanted("run", self.hand.min_run))
        readings = [reading for reading in (as_set, as_run) if reading.legal] or [
            reading for reading in (as_set, as_run) if reading.question and not reading.faults
        ]
        if len(readings) == 1:
            name = self._put(readings[0].meld)
            if readings[0].question:
                self.now.questions.append(Note(action.number, name, readings[0].question))
        elif readings:
            name = self._put(None)
            cards = tuple([item.card for item in laid])
            self.now.questions.append(Note(action.number, name, Fault("ask.kind", "ask.kind", cards)))
        else:
            opening = judge_opening([laid], self.rules, replace(self.hand, contract=None, exact_sets=False, exact_runs=False))
            name = self._put(opening.melds[0])
            for _, fault in opening.faults:
                self._fault(action.number, name, fault)

    def _put(self, meld: Meld | None) -> str:
        number = len(self.now.own) + 1
        while f"m{number}" in self.named:
            number += 1
        name = f"m{number}"
        self.named.add(name)
        self.now.own.append(name)
        self.now.table[name] = Lying(name, self.asked.player, meld)
        return name

    # -- Melds on the table -----------------------------------------------------------------------------------------

    def _target(self, name: str, action: Action, key: str) -> Lying | None:
        lying = self.now.table.get(name)
        if lying is not None:
            return lying
        if name.startswith("m") and name[1:].isdecimal() and 1 <= int(name[1:]) <= self.laid_melds + len(self.asked.table):
            self._fault(action.number, name, Fault("layoff.existing", "layoff.gone", cards_of(action)))
            return None
        raise BadQuestion(f"there is no meld “{name}” on the table", f"actions[{action.number}].{key}")

    def _own(self, lying: Lying) -> bool:
        return lying.id in self.now.own or lying.owner == self.asked.player

    def _layoff_mode(self) -> str:
        """Give on which melds may be laid off: where melds are free nobody goes down, and every turn is a later one."""
        return self.rules.layoff_opening if self.now.opened_now and not self.free else self.rules.layoff_later

    def _may_touch_table(self, action: Action) -> bool:
        if not self.now.opened:
            self._fault(action.number, action.meld, Fault("open.before-any", "open.before-any", cards_of(action)))
        if self.hand.all_cards:
            self._fault(action.number, action.meld, Fault("final.all-cards", "final.no-layoff", cards_of(action)))
            return False
        return True

    def _lay_off(self, action: Action) -> None:
        lying = self._target(action.meld, action, "meld")
        self._may_touch_table(action)
        if lying is None:
            return
        self._check_reach(action, lying)
        self._add(action, lying, action.melds[0], action.end)

    def _check_reach(self, action: Action, lying: Lying) -> None:
        """Note a card that goes to a meld on which the player may not lay off in this turn."""
        mode = self._layoff_mode()
        if self.now.opened and (mode == "none" or (mode == "others" and self._own(lying))):
            codes = {"none": "layoff.later-turn", "others": "layoff.own-meld"} if self.now.opened_now else _LATER
            self._fault(action.number, lying.id, Fault("layoff.opening", codes[mode], cards_of(action)))

    def _add(self, action: Action, lying: Lying, laid: Sequence[Laid], end: str | None) -> None:
        if lying.meld is None:
            return
        reading = extend(lying.meld, laid, self.rules, end)
        for fault in reading.faults:
            self._fault(action.number, lying.id, fault)
        if reading.question is not None:
            self.now.questions.append(Note(action.number, lying.id, reading.question))
        if reading.meld is not None and not reading.faults:
            self.now.table[lying.id] = lying._replace(meld=reading.meld)

    def _swap(self, action: Action) -> None:
        lying = self._target(action.meld, action, "meld")
        if action.to in {"hand", "discard"}:
            code = "swap.kept" if action.to == "hand" else "swap.discarded"
            self._fault(action.number, action.meld, Fault("swap.replay", code, cards_of(action)))
        elif lying is not None:
            self._target(action.to, action, "wild_to")
        if not self._may_touch_table(action) or lying is None or lying.meld is None:
            return
        run = lying.meld.kind == "run"
        if not (self.rules.swap_run if run else self.rules.swap_set):
            concept, code = ("swap.run", "swap.not-run") if run else ("swap.set", "swap.not-set")
            self._fault(action.number, lying.id, Fault(concept, code, cards_of(action)))
            return
        card = cards_of(action)[0]
        swapped = swap_wild(lying.meld, card)
        if swapped is None:
            self._fault(action.number, lying.id, Fault("swap.run" if run else "swap.set", "swap.no-wild", (card,)))
            return
        meld, freed = swapped
        for fault in new_faults(lying.meld, meld, self.rules):
            self._fault(action.number, lying.id, fault)
        self.now.table[lying.id] = lying._replace(meld=meld)
        self._replay(action, lying, freed)

    def _replay(self, action: Action, source: Lying, freed: str) -> None:
        """Play the freed wild card to where the player said (R-39)."""
        if action.to == "hand":
            if self.now.held is not None:
                self.now.held.append(freed)
            return
        if action.to == "discard":
            self.now.discards.append(freed)
            return
        target = self.now.table.get(action.to)
        if target is None:
            return
        kind = target.meld.kind if target.meld else ""
        wrong = {
            "another-meld": target.id == source.id and "swap.target-another",
            "own-run": (kind != "run" or target.owner != source.owner) and "swap.target-own-run",
            "same-run": target.id != source.id and "swap.target-same-run",
        }.get(self.rules.swap_target)
        if wrong:
            self._fault(action.number, target.id, Fault("swap.target", wrong, (freed,)))
            return
        self._check_reach(action, target)
        self._add(action, target, (Laid(freed),), action.end)

    # -- Discard and end --------------------------------------------------------------------------------------------

    def _discard(self, action: Action) -> None:
        card = cards_of(action)[0]
        first = not self.now.discards
        self.now.discards.append(card)
        if self.asked.claimed:
            self._fault(action.number, None, Fault("claim.no-discard", "claim.no-discard", (card,)))
        if self.hand.no_discard and self.now.opened_now:
            self._fault(action.number, None, Fault("final.no-discard", "final.no-discard", (card,)))
            return
        if not first:
            return
        taken = self.asked.drawn_from == "discard" and self.asked.drawn == card
        if self.rules.discard == "not-just-taken" and taken and card not in (self.now.held or ()):
            self._fault(action.number, None, Fault("discard.just-taken", "discard.just-taken", (card,)))
        bound = self.now.opened or self.rules.discard_binds_unopened
        if self.rules.discard == "not-playable" and bound:
            playable = self._where_playable(card)
            if playable is not None:
                self._fault(action.number, playable, Fault("discard.playable", "discard.playable", (card,)))

    def _where_playable(self, card: str) -> str | None:
        mode = "none" if self.hand.all_cards else self._layoff_mode()
        for lying in self.now.table.values():
            reach = mode == "any" or (mode == "others" and not self._own(lying))
            if reach and lying.meld is not None and can_extend(lying.meld, card, self.rules):
                return lying.id
        return None

    def _end_of_turn(self) -> None:
        left = self.now.left
        discarded = bool(self.now.discards)
        whole = self.now.opened_now and (self.hand.all_cards or self.hand.no_discard)
        spare = left if discarded or self.hand.no_discard else left[1:]
        if whole and spare:
            code = "final.left-whole" if self.hand.no_discard else "final.left"
            self._fault(None, None, Fault("final.all-cards", code, tuple(left)))
        elif whole and not left and not discarded and not self.hand.no_discard:
            self._fault(None, None, Fault("final.all-cards", "final.nothing-left"))
        elif self.now.opened_now and self.hand.must_go_out and spare:
            self._fault(None, None, Fault("final.must-go-out", "final.must-go-out", tuple(left)))
        elif not discarded and not (whole and self.hand.no_discard):
            if left:
                self._fault(None, None, Fault("turn.end-discard", "turn.no-discard"))
            elif self.rules.needs_discard(self.hand):
                self._fault(None, None, Fault("out.discard", "out.no-discard"))
        if discarded and not left and self.rules.play_last_two:
            self._fault(None, None, Fault("out.two-cards", "out.two-cards", tuple(self.now.discards[-1:])))


_LATER: Final = {"none": "layoff.none", "others": "layoff.others"}


def cards_of(action: Action) -> tuple[str, ...]:
    """Give every card that an action plays from the hand."""
    return tuple([item.card for meld in action.melds for item in meld])
