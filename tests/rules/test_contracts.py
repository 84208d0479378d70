import pytest
from hypothesis import given
from hypothesis import strategies as st

from continental.rules.contracts import Contract, Slot
from continental.rules.errors import BadQuestion


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("2S 1R", ["set", "set", "run"]),
        ("2S1R", ["set", "set", "run"]),
        (" 2s, 1r ", ["set", "set", "run"]),
        ("1P 1R", ["pair", "run"]),
        ("3S+1R", ["set", "set", "set", "run"]),
    ],
)
def test_a_contract_reads_in_every_spelling(text: str, slots: list[str]) -> None:
    assert [slot.kind for slot in Contract.parse(text).slots] == slots


def test_a_size_belongs_to_the_melds_before_it() -> None:
    assert Contract.parse("2S1R7").slots == (Slot("set"), Slot("set"), Slot("run", 7))
    assert Contract.parse("1R71S").slots == (Slot("run", 7), Slot("set"))
    assert Contract.parse("1S 1R10").slots == (Slot("set"), Slot("run", 10))


@pytest.mark.parametrize("text", ["", "S", "2", "2X", "0S", "9S", "1R1", "1R15", "5S 4R", "2S 1R!", "1P3", "2S 1", "１S", "1R٧"])
def test_what_is_no_contract_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(BadQuestion) as refused:
        Contract.parse(text, "rules.hands[0].contract")
    assert refused.value.at == "rules.hands[0].contract"


slots = st.one_of(
    st.builds(Slot, st.sampled_from(["set", "run"]), st.one_of(st.none(), st.integers(2, 14))), st.just(Slot("pair"))
)


@given(st.lists(slots, min_size=1, max_size=8))
def test_a_contract_written_and_read_again_is_the_same(chosen: list[Slot]) -> None:
    contract = Contract(tuple(chosen))
    assert Contract.parse(str(contract)) == contract
