"""What is learned of an endpoint, held against what it takes: a thousand courses of events, in no time."""

import random
from statistics import mean

import pytest

from tests.models.endpoints import AtOnce, Bucket, Course
from trialkit.models.flow import Flow


@pytest.mark.parametrize("latency", [0.2, 2.0])
def test_a_server_that_takes_twenty_at_once(latency: float) -> None:
    way = 0.003
    for seed in range(100):
        went = Course(AtOnce(20), requests=1000, ceiling=50, latency=latency, way=way, seed=seed)
        assert went.seconds <= 1.04 * 1000 / 20 * (latency + way)
        assert went.refused <= 20
        assert not went.flow.paced


@pytest.mark.parametrize("ceiling", [100, 500])
@pytest.mark.parametrize("burst", [50, 5])
def test_a_server_that_takes_fifty_a_second(burst: int, ceiling: int) -> None:
    for seed in range(100):
        went = Course(Bucket(50, burst), requests=1000, ceiling=ceiling, latency=0.2, way=0.003, seed=seed)
        assert went.seconds <= 1.02 * ((1000 - burst) / 50 + 0.2)
        assert went.refused <= 30
        assert went.flow.paced


def test_four_hundred_servers_of_any_kind() -> None:
    """Short courses, of which learning takes a part: their mean, and the worst of them."""
    longer, wasted = [], []
    for seed in range(400):
        chance = random.Random(seed)
        latency, way = chance.uniform(0.1, 5), chance.uniform(0.002, 0.05)
        ceiling = chance.randint(10, 200)
        if seed % 2:
            places = chance.randint(2, ceiling)
            went = Course(AtOnce(places), requests=400, ceiling=ceiling, latency=latency, way=way, seed=seed)
            ideal = 400 / places * (latency + way)
        else:
            rate, burst = chance.uniform(0.2, 0.8) * ceiling / latency, chance.randint(1, 60)
            went = Course(Bucket(rate, burst), requests=400, ceiling=ceiling, latency=latency, way=way, seed=seed)
            ideal = max((400 - burst) / rate, 400 / ceiling * latency) + latency
        longer.append(went.seconds / ideal)
        wasted.append(went.refused / 400)
    assert mean(longer) <= 1.15
    assert max(longer) <= 2.5
    assert mean(wasted) <= 0.1


def test_a_server_without_limits_is_never_waited_for() -> None:
    went = Course(AtOnce(100), requests=2000, ceiling=100, latency=0.2, way=0.002, seed=1, spread=0.0)
    assert (went.refused, went.seconds <= 1.05 * 20 * 0.202) == (0, True)


def test_what_is_shut_is_asked_ever_more_rarely() -> None:
    flow, now, asked = Flow(10), 0.0, 0
    while now < 600:
        now = max(now, flow.next_at(0, now))
        flow.refused(flow.sent(1, now), 0, now + 0.01)
        asked, now = asked + 1, now + 0.01
    assert flow.shut
    assert asked <= 60
