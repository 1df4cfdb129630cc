import re

import pytest

from chickenfoot import Rules, RulesError


def test_the_presets_are_those_of_the_table() -> None:
    assert Rules.trains(4).text == (
        "max_pip=9;players=4;hand_size=11;opening_arms=4;starter=lot;drawn_tile=must_play;reserve=1;double_blank=0;rounds=10"
    )
    assert Rules.classic(4).text == (
        "max_pip=9;players=4;hand_size=7;opening_arms=4;starter=holder;drawn_tile=may_play;reserve=0;double_blank=50;rounds=10"
    )
    assert [Rules.trains(players).hand_size for players in range(2, 9)] == [21, 14, 11, 8, 7, 6, 5]
    assert Rules.trains(2).reserve == 2
    assert Rules.trains(4, max_pip=12).hand_size == 18
    assert Rules.classic(16, max_pip=15).rounds == 16


@pytest.mark.parametrize("players", range(2, 9))
@pytest.mark.parametrize("max_pip", [9, 12, 15, 18])
def test_rules_are_their_text(players: int, max_pip: int) -> None:
    rules = Rules.trains(players, max_pip=max_pip)
    assert Rules.from_text(rules.text) == rules


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (("max_pip=9", "max_pip=10"), "max_pip"),
        (("max_pip=9", "max_pip=09"), "max_pip"),
        (("players=4", "players=1"), "players"),
        (("players=4", "players=٤"), "players"),
        (("hand_size=11", "hand_size=0"), "hand_size"),
        (("hand_size=11", "hand_size=14"), "hand_size"),
        (("opening_arms=4", "opening_arms=3"), "opening_arms"),
        (("starter=lot", "starter=dice"), "starter"),
        (("drawn_tile=must_play", "drawn_tile="), "drawn_tile"),
        (("reserve=1", "reserve=9"), "reserve"),
        (("double_blank=0", "double_blank=7"), "double_blank"),
        (("rounds=10", "rounds=11"), "rounds"),
        (("rounds=10", "rounds=10;more=1"), "rules"),
        (("reserve=1;", ""), "reserve"),
    ],
)
def test_impossible_rules_name_the_option(change: tuple[str, str], field: str) -> None:
    text = Rules.trains(4).text
    with pytest.raises(RulesError, match=re.escape(field)) as refused:
        Rules.from_text(text.replace(*change))
    assert refused.value.field == field
