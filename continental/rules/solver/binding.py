"""Which limits the cards of a question can break at all.

A hand with one joker cannot break "no more wild cards than naturals" in a run of four; a suit without king, ace and two has
no run that passes through the ace. Limits that cannot be broken are taken away before the search, which then need not
remember anything for their sake, and can often go the quick way. Where a wild card is to be discarded that no meld may be able to
take, they all matter.
"""

from dataclasses import replace
from typing import Any

from continental.rules.solver.scene import Scene
from continental.rules.solver.terms import ENDLESS, Terms


def frees_sets(scene: Scene) -> bool:
    """Tell whether it can help to swap a wild card out of a set just laid: only where the naturals could not go down with it, as
    they would be outnumbered by the wild cards, which may go down alone, or would repeat a suit.
    """
    terms, wilds = scene.terms, len(scene.pool)
    if not _may_free(terms.swap_set and terms.swap_target != "same-run", scene):
        return False
    least = min([slot.size for slot in terms.sets], default=ENDLESS)
    alone = terms.ratio_opening and not terms.ratio_always and terms.all_wild_set and not (terms.bare_set or terms.set_naturals)
    return least < ENDLESS and ((alone and least <= min(wilds, terms.wild_limit)) or not terms.repeat_suits)


def frees_runs(scene: Scene) -> bool:
    """Tell whether it can help to swap a wild card out of a run just laid: only where wild cards may go down alone, but not
    beside fewer naturals.
    """
    terms, wilds = scene.terms, len(scene.pool)
    alone = terms.ratio_opening and not terms.ratio_always and terms.all_wild_run and terms.adjacent_wilds
    if not _may_free(terms.swap_run and alone, scene):
        return False
    return min([slot.size for slot in terms.runs], default=ENDLESS) <= min(wilds, terms.wild_limit)


def _may_free(rules_allow: bool, scene: Scene) -> bool:
    terms = scene.terms
    reach = terms.own_layoff or (terms.others_layoff and terms.swap_target in ("any", "another-meld"))
    return rules_allow and reach and bool(scene.pool) and not scene.cover


def most_freed(scene: Scene) -> int:
    """Count the wild cards that cards in hand could free: those of the table, and those of melds just laid."""
    freed = _most_freed_from_table(scene)
    if frees_sets(scene) or frees_runs(scene):
        freed += min(len(scene.pool), scene.size - len(scene.pool) + sum(map(sum, scene.natural_wilds)))
    return freed


def _most_freed_from_table(scene: Scene) -> int:
    terms = scene.terms
    freed = 0
    if terms.others_layoff and terms.swap_run:
        for suit in range(4):
            places: dict[int, int] = {}
            for run in scene.runs[suit]:
                for place in run.wilds:
                    rank = 1 if place == 14 else place
                    places[rank] = places.get(rank, 0) + 1
            naturals, wilds = scene.naturals[suit], scene.natural_wilds[suit]
            freed += sum(min(count, naturals[rank] + wilds[rank]) for rank, count in places.items())
    if terms.others_layoff and terms.swap_set:
        freed += sum(min(item.wilds, _count(scene, item.rank)) for item in scene.sets if item.rank)
    return freed


def only_binding(scene: Scene) -> Terms:
    """Give the terms without the limits that the cards of the scene cannot break."""
    terms = scene.terms
    if scene.unplayable in terms.wild:
        return terms
    freed = most_freed(scene)
    cap = len(scene.pool) + freed
    runs = scene.runs if terms.others_layoff else ()
    sets = scene.sets if terms.others_layoff else ()
    table_runs = [run for suit in runs for run in suit]
    shortest = min([*[slot.size for slot in terms.runs], *[slot.size for slot in terms.sets]], default=0)
    set_count = sum(ENDLESS if slot.count is None else slot.count for slot in terms.sets)
    run_count = sum(ENDLESS if slot.count is None else slot.count for slot in terms.runs)
    changes: dict[str, Any] = {}
    if not freed:
        changes |= {"swap_run": False, "swap_set": False, "swap_target": "any"}
    elif not (any(item.wilds for item in sets) or frees_sets(scene)):
        changes["swap_set"] = False
    if cap < shortest:
        changes |= {"all_wild_run": True, "all_wild_set": True, "bare_set": False}
    if 2 * cap <= shortest:
        changes["ratio_opening"] = False
        spare = [run.naturals - len(run.wilds) for run in table_runs] + [item.naturals - item.wilds for item in sets if item.rank]
        if all(number >= cap for number in spare):
            changes["ratio_always"] = False
    most_wild = max([len(run.wilds) for run in table_runs] + [item.wilds for item in sets], default=0)
    if cap + most_wild <= terms.wild_limit:
        changes["wild_limit"] = ENDLESS
    if min([slot.size for slot in terms.sets], default=ENDLESS) - cap >= terms.set_naturals:
        changes["set_naturals"] = 0
    if not cap or (cap == 1 and not any(place in run.wilds for run in table_runs for place in (run.low, run.high))):
        changes["adjacent_wilds"] = True
    most_alike = max(_count(scene, rank) for rank in range(1, 14))
    full = cap + most_alike + max([item.naturals + item.wilds for item in sets], default=0)
    if full <= terms.max_set and scene.unplayable is None:
        changes["max_set"] = ENDLESS
    if run_count < 2:
        changes |= {"touching": True, "same_suit": True}
    if set_count < 2:
        changes["same_rank"] = True
    if all(count < 2 for suit in (*scene.naturals, *scene.natural_wilds) for count in suit):
        changes["repeat_suits"] = True
    if terms.wrap and (terms.touching or run_count < 2) and not any(_passes(scene, suit, cap) for suit in range(4)):
        changes |= {"wrap": False, "places": tuple(range(1, 15)), "one_ace": terms.max_run <= 13}
    different = {name: value for name, value in changes.items() if getattr(terms, name) != value}
    return replace(terms, **different) if different else terms


def _count(scene: Scene, rank: int) -> int:
    """Count the cards of a rank, those that are wild included."""
    return sum(scene.naturals[suit][rank] + scene.natural_wilds[suit][rank] for suit in range(4))


def _passes(scene: Scene, suit: int, cap: int) -> bool:
    """Tell whether a run of this suit could go from the king through the ace to the two."""
    naturals, wilds = scene.naturals[suit], scene.natural_wilds[suit]
    missing = {rank for rank in (13, 1, 2) if not naturals[rank] + wilds[rank]}
    if len(missing) <= cap:
        return True
    for run in scene.runs[suit] if scene.terms.others_layoff else ():
        held = {(run.low + step - 1) % 13 + 1 for step in range(run.size)}
        if len(missing - held) <= cap:
            return True
    return False
