"""A Spark Connect server: a session that is already warm when a query comes."""

import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

from boathouse.engines.spark import server
from boathouse.engines.spark.greeting import speaks_http2
from boathouse.kit.files import write_private
from boathouse.kit.settings import Settings
from boathouse.stack.java import Java, find_java
from boathouse.stack.logs import LogFile
from boathouse.stack.ports import LOOPBACK, PortWish
from boathouse.stack.service import NotReady, Service, Site
from boathouse.stack.services.class_archive import ClassArchive
from boathouse.stack.services.first_query import FirstQuery


class SparkConnect(Service):
    name = "spark"
    uses = ("object-store", "catalog")
    artifacts = ("spark",)

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.java: Java = find_java(site.settings.java.home, site.settings.cache)
        self._first_query = self._new_first_query()

    @classmethod
    def port_wishes(cls, settings: Settings) -> Iterable[PortWish]:
        yield PortWish(cls.name, 15002, settings.spark.port, "spark.port")
        yield PortWish("spark.ui", 4040, settings.spark.ui_port, "spark.ui_port")

    def address(self) -> str:
        return self.site.lake.spark.remote

    def prepare(self) -> None:
        self._first_query.forget()
        self._first_query = self._new_first_query()
        self._empty_scratch()
        properties = server.server_properties(
            self.site.lake,
            settings=self.site.settings.spark,
            jars=self.site.artifacts["spark"],
            ui_port=self.site.ports["spark.ui"],
            scratch=self._scratch,
            python=sys.executable,
            archive=self._archive.path() if self._archive else None,
        )
        write_private(self._properties_file, server.properties_text(properties).encode())

    def command(self) -> list[str]:
        return server.server_command(self._properties_file)

    def environment(self) -> dict[str, str]:
        return server.server_environment(self.site.lake, java_home=self.java.home, python=sys.executable)

    def check(self) -> None:
        if not speaks_http2(LOOPBACK, self.site.ports[self.name]):
            raise NotReady("the port does not answer yet")
        self._first_query.check()

    def settle(self, *, cleanly: bool) -> None:
        self._first_query.forget()
        if self._archive is not None:
            self._archive.settle(cleanly=cleanly)

    def _new_first_query(self) -> FirstQuery:
        log = LogFile(self.site.home.log(self.name), self.site.settings.log)
        return FirstQuery(self.site.lake.spark, self._scratch / "first-query.log", log)

    @property
    def _archive(self) -> ClassArchive | None:
        """None where this Java cannot keep one."""
        directory = self.site.settings.cache / "java"
        shared = server.class_archive(directory, java_home=self.java.home, jars=self.site.artifacts["spark"])
        return ClassArchive(shared, self._scratch / "classes.jsa") if shared else None

    @property
    def _scratch(self) -> Path:
        return self.site.home.scratch(self.name)

    @property
    def _properties_file(self) -> Path:
        return self.site.home.config(self.name) / "spark.properties"

    def _empty_scratch(self) -> None:
        """What a killed server leaves behind is of no use to the next."""
        shutil.rmtree(self._scratch, ignore_errors=True)
        self._scratch.mkdir(parents=True)
