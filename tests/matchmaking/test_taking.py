"""The rules of who may take which offer."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import event, given, settings
from hypothesis import strategies as st

from pbmstar.matchmaking.offers import (
    RECENT,
    Lobby,
    Objection,
    Offer,
    Party,
    Strength,
)

NOW = 1e9
NAMES = ("alice", "bob", "carol", "dave")
names = st.sampled_from(NAMES)
WORDS = ("star", "hex")
words = st.sampled_from(WORDS)
ratings = st.integers(800, 2200)
strengths = st.builds(Strength, ratings, st.booleans(), st.just(0) | ratings)
parties = st.fixed_dictionaries(
    {
        name: st.builds(
            Party,
            st.just(name),
            st.sampled_from(("active", "active", "suspended")),
            st.frozensets(st.sampled_from((name, f"{name}2", "shared")), min_size=1),
            st.sampled_from((frozenset(), frozenset(), frozenset(WORDS[:1]))),
            st.sampled_from((frozenset(), frozenset(), frozenset(NAMES[:1]))),
            st.none() | st.integers(2, 3),
            st.integers(0, 2),
            st.sampled_from((False, False, False, True)),
            st.dictionaries(words, strengths),
        )
        for name in NAMES
    }
)


@st.composite
def offers(draw: st.DrawFn) -> Offer:
    low = draw(st.none() | st.integers(1000, 2000))
    within = draw(st.none() | st.integers(0, 400)) if low is None else None
    wanted = draw(st.integers(0, 5))
    return Offer(
        draw(st.integers(1, 99)),
        draw(names),
        draw(words),
        "{}",
        low=low,
        high=low and low + draw(st.integers(0, 500)),
        within=within,
        wanted=wanted,
        begun=draw(st.integers(0, wanted or 9)),
        is_new=draw(st.booleans()),
        until=draw(st.none() | st.floats(NOW - 10, NOW + 10)),
        closed=draw(st.sampled_from((None, None, NOW - 1))),
    )


known = st.dictionaries(names, st.floats(NOW - 2 * RECENT, NOW))


def objection(offer: Offer, owner: Party, taker: Party, met: dict[str, float]) -> Objection | None:
    return Lobby(taker, [offer], {owner.userid: owner}, met).objection(offer, NOW)


def may_take(offer: Offer, owner: Party, taker: Party, met: dict[str, float]) -> bool:
    """Return the same as the rules in other words: each condition by itself."""
    one, other = owner.strength(offer.game), taker.strength(offer.game)
    known_well = not (one.is_provisional or other.is_provisional)
    distance = abs(max(one.points, one.least) - max(other.points, other.least))
    return all(
        (
            taker.userid != offer.userid and not owner.mailboxes & taker.mailboxes,
            owner.state == "active" and not owner.away,
            offer.game not in owner.refuses,
            taker.userid not in owner.blocks and owner.userid not in taker.blocks,
            owner.most is None or owner.running < owner.most,
            offer.closed is None and (offer.until is None or offer.until > NOW),
            not offer.wanted or offer.begun < offer.wanted,
            not (offer.is_new and offer.userid in met),
            offer.low is None or offer.low <= other.points <= (offer.high or 0),
            offer.within is None or not known_well or distance <= offer.within,
        )
    )


@settings(max_examples=4 * settings.default.max_examples)
@given(offers(), parties, names, known)
def test_an_offer_is_for_those_whom_no_wish_block_limit_or_rating_forbids(
    offer: Offer, people: dict[str, Party], reader: str, met: dict[str, float]
) -> None:
    owner, taker = people[offer.userid], people[reader]
    may = objection(offer, owner, taker, met) is None
    event(f"may be taken: {may}")
    assert may == may_take(offer, owner, taker, met)


@given(st.lists(offers(), max_size=8), parties, names, known)
def test_a_list_shows_what_can_be_taken_and_no_more(
    made: list[Offer], people: dict[str, Party], reader: str, met: dict[str, float]
) -> None:
    lobby = Lobby(people[reader], made, people, met)
    listed = lobby.fitting(NOW)
    for offer in made:
        assert (offer in listed) == (lobby.objection(offer, NOW) is None)
    placed = lobby.by_nearness(listed, NOW)
    assert sorted(placed, key=id) == sorted(listed, key=id)


@given(offers(), parties, names, known)
def test_a_block_and_a_wish_look_alike_to_who_asks(
    offer: Offer, people: dict[str, Party], reader: str, met: dict[str, float]
) -> None:
    """Nobody learns who blocks whom, who is away, or who has as many games as wanted."""
    against = objection(offer, people[offer.userid], people[reader], met)
    owner = people[offer.userid]
    if reader in owner.blocks or owner.away or owner.state != "active":
        assert against in (Objection.OWN, Objection.GONE)


def test_a_pair_is_made_by_rating_and_not_at_once_again() -> None:
    """The nearest of those who are rated well; who was the opponent just now comes last."""
    sure, unsure = Strength(1600, False), Strength(1510)
    people = {
        "alice": Party(
            "alice", mailboxes=frozenset("a"), strengths={"star": Strength(1500, False)}
        ),
        "bob": Party("bob", mailboxes=frozenset("b"), strengths={"star": sure}),
        "carol": Party("carol", mailboxes=frozenset("c"), strengths={"star": unsure}),
        "dave": Party("dave", mailboxes=frozenset("d"), strengths={"star": Strength(1501, False)}),
    }
    made = [Offer(n, name, "star", "{}") for n, name in enumerate(("carol", "bob", "dave"), 1)]

    def order(met: dict[str, float]) -> list[str]:
        placed = Lobby(people["alice"], made, people, met).by_nearness(made, NOW)
        return [offer.userid for offer in placed]

    assert order({}) == ["dave", "bob", "carol"]
    assert order({"dave": NOW - RECENT + 1}) == ["bob", "carol", "dave"]
    assert order({"dave": NOW - RECENT - 1}) == ["dave", "bob", "carol"]


def test_a_distance_is_not_measured_from_far_below_the_peak_of_a_year() -> None:
    """Who has lost on purpose is not paired with the weak; a range of ratings goes by what is shown."""
    met = dict[str, float]()
    weak = Party("bob", mailboxes=frozenset("b"), strengths={"star": Strength(1300, False)})
    fallen = Party(
        "eve",
        mailboxes=frozenset("e"),
        strengths={"star": Strength(1310, False, 1550)},
    )
    near = Offer(1, "bob", "star", "{}", within=100)
    assert objection(near, weak, fallen, met) is Objection.RATING
    assert objection(replace(near, within=250), weak, fallen, met) is None, "1550, not 1700"
    assert objection(replace(near, userid="eve"), fallen, weak, met) is Objection.RATING
    assert objection(Offer(1, "bob", "star", "{}", low=1200, high=1400), weak, fallen, met) is None


def test_a_distance_counts_once_both_ratings_are_known_well() -> None:
    offer = Offer(1, "bob", "star", "{}", within=100)
    bob = Party("bob", mailboxes=frozenset("b"), strengths={"star": Strength(1800, False)})
    new = Party("alice", mailboxes=frozenset("a"))
    known = Party("alice", mailboxes=frozenset("a"), strengths={"star": Strength(1500, False)})
    met = dict[str, float]()
    assert objection(offer, bob, new, met) is None
    assert objection(offer, bob, known, met) is Objection.RATING


def test_an_offer_for_new_opponents_is_for_no_other() -> None:
    bob, alice = (Party(name, mailboxes=frozenset(name)) for name in ("Bob", "alice"))
    offer = Offer(1, "Bob", "star", "{}", is_new=True)
    assert objection(offer, bob, alice, {}) is None
    assert objection(offer, bob, alice, {"Bob": NOW - 1}) is Objection.MET
