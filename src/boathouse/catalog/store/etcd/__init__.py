"""The store on etcd, for many machines: every commit is decided by Raft, and any server may ask any member."""

from boathouse.catalog.store.etcd.address import EtcdAddress
from boathouse.catalog.store.etcd.store import EtcdStore

__all__ = ["EtcdAddress", "EtcdStore"]
