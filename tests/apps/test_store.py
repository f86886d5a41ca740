"""What is kept is kept: versions, damage, failing devices, two tabs."""

from __future__ import annotations

import json

from app_support import run
from hypothesis import given
from hypothesis import strategies as st

from apps.host import MemoryHost
from apps.store import DAMAGED, Store


async def _store(host: MemoryHost) -> Store:
    store = Store()
    await store.open(host)
    return store


def test_what_is_put_is_there_after_a_reload() -> None:
    async def story() -> None:
        host = MemoryHost()
        store = await _store(host)
        store.put("score/a", {"x": 1})
        await store.flush()
        assert (await _store(host)).get("score/a") == {"v": 1, "x": 1}
        assert json.loads(host.told[-1]) == {"key": "score/a"}

    run(story())


def test_nothing_reaches_the_device_before_flush_but_is_read_back_here() -> None:
    async def story() -> None:
        host = MemoryHost()
        store = await _store(host)
        store.put("score/a", {"x": 1})
        assert host.entries == {}
        assert store.get("score/a") == {"v": 1, "x": 1}
        assert store.keys("score/") == ["score/a"]
        store.remove("score/a")
        assert store.keys() == []

    run(story())


@given(text=st.one_of(st.text(), st.sampled_from(['{"v":2}', "[]", "null", '{"v":"1"}', "{"])))
def test_damaged_entries_are_set_aside_whole_and_block_nothing(text: str) -> None:
    async def story() -> None:
        host = MemoryHost({"score/bad": text, "score/good": '{"v":1,"x":2}'})
        store = await _store(host)
        assert store.get("score/good") == {"v": 1, "x": 2}
        assert store.get("score/bad") is None
        (aside,) = store.keys(DAMAGED)
        assert store.text(aside) == text
        again = await _store(host)
        assert again.keys(DAMAGED) == [aside]
        assert again.keys("score/") == ["score/good"]

    run(story())


def test_a_second_tab_cannot_overwrite_what_it_has_not_seen() -> None:
    async def story() -> None:
        host = MemoryHost()
        one, two = await _store(host), await _store(host)
        one.put("score/a", {"x": 1})
        await one.flush()
        two.put("score/a", {"x": 2})
        await two.flush()
        assert two.overtaken == {"score/a"}
        assert two.get("score/a") == {"v": 1, "x": 1}
        two.put("score/a", {"x": 3})
        await two.flush()
        assert await one.refresh() == {"score/a"}
        assert one.get("score/a") == {"v": 1, "x": 3}

    run(story())


class _FullHost(MemoryHost):
    full = True

    async def put(self, key: str, text: str, rev: int) -> str:
        return "failed:QuotaExceededError" if self.full else await super().put(key, text, rev)


def test_a_full_device_is_told_and_the_next_write_saves_it_all() -> None:
    async def story() -> None:
        host = _FullHost()
        store = await _store(host)
        store.put("score/a", {"x": 1})
        await store.flush()
        assert store.trouble == "QuotaExceededError"
        assert store.get("score/a") == {"v": 1, "x": 1}
        host.full = False
        store.put("score/a", {"x": 2})
        await store.flush()
        assert store.trouble == ""
        assert json.loads(host.entries["score/a"][1]) == {"v": 1, "x": 2}

    run(story())
