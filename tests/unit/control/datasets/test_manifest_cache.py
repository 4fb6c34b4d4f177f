"""What was read of manifests is kept, up to so many files."""

from boathouse.control.datasets.manifest_cache import ManifestCache
from boathouse.kit.manifests import LiveFile

FILE = LiveFile(0, "s3://lake/a.parquet", "parquet", 1, 1, {})


def test_what_was_not_asked_for_longest_goes_first() -> None:
    cache = ManifestCache(most=10)
    for name in ("a", "b"):
        cache.keep(("lake", name), (FILE,) * 4)
    assert cache.get(("lake", "a")) is not None
    cache.keep(("lake", "c"), (FILE,) * 4)
    assert [cache.get(("lake", name)) is not None for name in "abc"] == [True, False, True]


def test_what_is_too_large_is_not_kept_and_pushes_nothing_out() -> None:
    cache = ManifestCache(most=10)
    cache.keep(("lake", "a"), (FILE,))
    cache.keep(("lake", "b"), (FILE,) * 11)
    assert (cache.get(("lake", "a")), cache.get(("lake", "b"))) == ((FILE,), None)


def test_nobody_is_answered_by_what_another_was_allowed_to_read() -> None:
    cache = ManifestCache()
    cache.keep(("lake", "a"), (FILE,))
    assert cache.get(("a connection", "a")) is None
