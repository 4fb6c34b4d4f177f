"""A program of Java in a service: its options in a file, for a hundred jars make a long command line."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from boathouse.kit.files import write_private
from boathouse.kit.settings import Settings
from boathouse.stack.java import find_java

# Kafka's own choice.
_G1 = "-XX:+UseG1GC"
# To standard output, where the supervisor keeps what is said.
_LOGGING = """\
status = warn
appender.out.type = Console
appender.out.name = out
appender.out.layout.type = PatternLayout
appender.out.layout.pattern = %d{ISO8601} %p %c{1}: %m%n
rootLogger.level = info
rootLogger.appenderRef.out.ref = out
"""


def java_command(settings: Settings, config: Path, main: str, *arguments: str) -> list[str]:
    """With the options that `write_options` left there."""
    java = find_java(settings.java.home, settings.cache)
    return [str(java.home / "bin" / "java"), f"@{config / 'java.options'}", main, *arguments]


def write_options(config: Path, *, memory: str, jars: Sequence[Path], options: Iterable[str] = (_G1,)) -> None:
    write_private(config / "log4j2.properties", _LOGGING.encode())
    classpath = ":".join(str(jar) for jar in jars)
    logging = f"-Dlog4j2.configurationFile={config / 'log4j2.properties'}"
    # Out of memory it is of no use to anybody, and is started again.
    lines = (f"-Xmx{memory}", "-XX:+ExitOnOutOfMemoryError", logging, *options, "-cp", classpath)
    write_private(config / "java.options", "\n".join(map(_quoted, lines)).encode())


def properties_text(properties: Mapping[str, str]) -> str:
    """As java.util.Properties reads it."""
    return "".join(f"{name}={value.replace(chr(92), chr(92) * 2)}\n" for name, value in properties.items())


def _quoted(option: str) -> str:
    return '"' + option.replace("\\", "\\\\").replace('"', '\\"') + '"'
