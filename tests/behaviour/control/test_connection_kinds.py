"""Each kind of connection, tested step by step: what works, and what is said of what does not."""

from collections.abc import Generator

import pytest
from confluent_kafka import Producer
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
)

from boathouse.control.connections import steps
from boathouse.control.connections.kinds import KINDS
from boathouse.control.connections.kinds.snowflake_keys import fingerprint
from tests.behaviour.control.spoken_protocols import (
    ACCENTED,
    PASSWORD,
    ClickHouseSpoken,
    SnowflakeSpoken,
    Spoken,
    TrinoSpoken,
    spoken,
)

Config = dict[str, object]


async def outcome_of(kind: str, config: Config, **secrets: str) -> steps.Tested:
    """As the service does it, once the secrets are read."""
    wanted = KINDS[kind].steps(KINDS[kind].config.model_validate(config), secrets)
    return (await steps.take_all(wanted)).without(secrets.values())


def failed(outcome: steps.Tested) -> tuple[str, str]:
    """The step it failed at, and what was said."""
    step = outcome.steps[-1]
    assert not step.ok, outcome
    assert step.hint
    return step.name, step.message


def pem(key: rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey, passphrase: bytes | None = None) -> str:
    how: KeySerializationEncryption = BestAvailableEncryption(passphrase) if passphrase else NoEncryption()
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, how).decode()


@pytest.fixture(scope="session")
def broker() -> Generator[str]:
    """The broker that Kafka's C client brings for tests: it speaks Kafka's protocol, without logins."""
    producer = Producer({"bootstrap.servers": "made-by-the-client", "test.mock.num.brokers": 1, "log_level": 0})
    producer.produce("readings", b"1")
    assert producer.flush(60) == 0
    (one,) = producer.list_topics(timeout=60).brokers.values()
    yield f"{one.host}:{one.port}"
    producer.flush(0)


class TestKafka:
    async def test_its_brokers_are_listed_and_a_topic_is_looked_for(self, broker: str) -> None:
        outcome = await outcome_of("kafka", {"servers": ["127.0.0.1:1", broker], "topic": "readings"})
        assert [step.name for step in outcome.steps] == ["reach a server", "list the brokers", "find the topic"]
        assert outcome.ok, outcome
        assert outcome.steps[1].message == f"1 broker: {broker}."
        outcome = await outcome_of("kafka", {"servers": [broker], "topic": "other"})
        assert failed(outcome) == ("find the topic", "There is no topic other that may be seen.")

    async def test_a_login_it_does_not_take_is_said_and_no_secret(self, broker: str) -> None:
        config: Config = {"servers": [broker], "security": "SASL_PLAINTEXT", "mechanism": "PLAIN", "user": "ann"}
        step, message = failed(await outcome_of("kafka", config, password=PASSWORD))
        assert step == "list the brokers"
        assert "login is refused" in message
        assert PASSWORD not in message

    async def test_no_server_that_takes_the_call_is_said_of_each(self) -> None:
        step, message = failed(await outcome_of("kafka", {"servers": ["127.0.0.1:1", "no-such-host.invalid:9092"]}))
        assert step == "reach a server"
        assert "127.0.0.1:1" in message
        assert "no-such-host.invalid" in message

    async def test_a_server_whose_name_cannot_be_one_keeps_no_other_back(self, broker: str) -> None:
        outcome = await outcome_of("kafka", {"servers": ["no..host:9092", broker]})
        assert outcome.ok, outcome

    async def test_a_certificate_that_is_none_is_said(self, broker: str) -> None:
        config: Config = {"servers": [broker], "security": "SSL", "authority": "not a certificate"}
        assert "cannot be set up" in failed(await outcome_of("kafka", config))[1]

    @pytest.mark.parametrize(
        "config",
        [
            {"servers": []},
            {"servers": ["no-port"]},
            {"servers": ["127.0.0.1:99999"]},
            {"servers": ["127.0.0.1:0"]},
            {"servers": ["h:9092,other:1"]},
            {"servers": ["h:9092"], "security": "SASL_SSL"},
            {"servers": ["h:9092"], "topic": "a topic"},
        ],
    )
    def test_what_makes_no_sense_is_refused(self, config: Config) -> None:
        with pytest.raises(ValueError, match="validation error"):
            KINDS["kafka"].config.model_validate(config)


class TestClickHouse:
    async def test_step_by_step(self) -> None:
        with spoken(ClickHouseSpoken) as address:
            outcome = await outcome_of("clickhouse", {"address": address}, password=PASSWORD)
            assert outcome.ok, outcome
            assert [step.message for step in outcome.steps[-2:]] == [
                "default is logged in: ClickHouse 26.9.1.1.",
                "default has 12 tables that default may see.",
            ]
            outcome = await outcome_of("clickhouse", {"address": address, "database": "none"}, password=PASSWORD)
            assert failed(outcome) == ("use the database", "Code: 81. DB::Exception: Database none does not exist.")

    async def test_a_refusal_that_repeats_the_password_is_passed_on_without_it(self) -> None:
        with spoken(ClickHouseSpoken) as address:
            step, message = failed(await outcome_of("clickhouse", {"address": address}, password="a-wrong-one"))
        assert step == "log in"
        assert message.endswith("Authentication failed with ….")

    async def test_a_password_may_have_letters_beyond_ascii(self) -> None:
        with spoken(ClickHouseSpoken) as address:
            outcome = await outcome_of("clickhouse", {"address": address}, password=ACCENTED)
        assert outcome.ok, outcome

    async def test_a_password_that_no_header_may_hold_is_said_without_it(self) -> None:
        with spoken(ClickHouseSpoken) as address:
            step, message = failed(await outcome_of("clickhouse", {"address": address}, password=f"{ACCENTED}\n."))
        assert step == "log in"
        assert ACCENTED[:3] not in message

    async def test_another_server_is_not_taken_for_it(self) -> None:
        with spoken(TrinoSpoken) as address:
            assert failed(await outcome_of("clickhouse", {"address": address}))[0] == "ping it"


class TestTrino:
    async def test_step_by_step_and_only_with_the_configured_host(self) -> None:
        with spoken(TrinoSpoken) as address:
            config: Config = {"address": address, "user": "reader", "catalog": "lake"}
            outcome = await outcome_of("trino", config, password=PASSWORD)
            assert outcome.ok, outcome
            assert [step.message for step in outcome.steps[-3:]] == [
                "It is Trino 476.",
                "reader may ask questions.",
                "lake has 2 schemas that may be seen.",
            ]
            outcome = await outcome_of("trino", {**config, "catalog": "none"}, password=PASSWORD)
            assert failed(outcome) == ("use the catalog", "[CATALOG_NOT_FOUND] Catalog 'none' not found.")

    async def test_a_wrong_login_is_said_and_no_secret(self) -> None:
        with spoken(TrinoSpoken) as address:
            for secrets in ({"token": "a-wrong-one"}, {}):
                outcome = await outcome_of("trino", {"address": address, "user": "reader"}, **secrets)
                step, message = failed(outcome)
                assert step == "run a statement"
                assert "login is refused" in message
                assert "a-wrong-one" not in message

    async def test_a_secret_is_not_sent_in_clear_to_another_machine(self) -> None:
        config = KINDS["trino"].config.model_validate({"address": "http://trino.example.org", "user": "reader"})
        asking = KINDS["trino"].steps(config, {"password": PASSWORD})[-1]
        assert "in clear" in failed(await steps.take_all([asking]))[1]

    async def test_another_server_is_not_taken_for_it(self) -> None:
        with spoken(ClickHouseSpoken) as address:
            outcome = await outcome_of("trino", {"address": address, "user": "reader"})
        assert failed(outcome)[0] == "ask its version"


class TestSnowflake:
    KEY = rsa.generate_private_key(65537, 2048)

    @pytest.fixture
    def address(self) -> Generator[str]:
        SnowflakeSpoken.public_key, SnowflakeSpoken.fingerprint = self.KEY.public_key(), fingerprint(self.KEY)
        with spoken(SnowflakeSpoken) as address:
            yield address

    def config(self, address: str) -> Config:
        return {"account": "org-lake", "user": "reader", "role": "LOADER", "warehouse": "SMALL", "endpoint": address}

    async def test_a_key_pair_logs_in(self, address: str) -> None:
        outcome = await outcome_of("snowflake", self.config(address), private_key=pem(self.KEY))
        assert outcome.ok, outcome
        names = ["find the host", "reach it", "log in", "use the role", "use the warehouse"]
        assert [step.name for step in outcome.steps] == names
        encrypted = pem(self.KEY, b"under the boat")
        outcome = await outcome_of(
            "snowflake", self.config(address), private_key=encrypted, passphrase="under the boat"
        )
        assert outcome.ok, outcome

    async def test_a_token_logs_in(self, address: str) -> None:
        assert (await outcome_of("snowflake", self.config(address), token=PASSWORD)).ok

    async def test_another_key_or_token_is_refused(self, address: str) -> None:
        other = pem(rsa.generate_private_key(65537, 2048))
        for secrets in ({"private_key": other}, {"token": "a-wrong-one"}):
            outcome = await outcome_of("snowflake", self.config(address), **secrets)
            assert failed(outcome) == ("log in", "The login is refused: JWT token is invalid.")

    async def test_a_key_that_cannot_be_used_is_said_without_a_word_of_it(self, address: str) -> None:
        curve = pem(ec.generate_private_key(ec.SECP256R1()))
        for key in ("not a key", curve, pem(self.KEY, b"under the boat")):
            step, message = failed(await outcome_of("snowflake", self.config(address), private_key=key))
            assert (step, message.partition(" is not")[0].partition(" cannot")[0]) == ("log in", "The private key")
        assert "nothing to log in with" in failed(await outcome_of("snowflake", self.config(address)))[1]

    async def test_a_warehouse_that_cannot_be_used_is_said(self, address: str) -> None:
        outcome = await outcome_of("snowflake", {**self.config(address), "warehouse": "none"}, token=PASSWORD)
        assert failed(outcome) == ("use the warehouse", "The warehouse none cannot be used.")

    def test_an_account_has_its_own_address(self) -> None:
        config = KINDS["snowflake"].config.model_validate({"account": "org-my_lake", "user": "reader"})
        assert getattr(config, "address") == "https://org-my-lake.snowflakecomputing.com"  # noqa: B009


class TestSpark:
    """What can be told without a Spark; with one, see tests/integration/test_spark_connection.py."""

    async def test_another_server_is_not_taken_for_it(self) -> None:
        with spoken(Spoken) as address:
            outcome = await outcome_of("spark", {"address": address.replace("http", "sc")}, token=PASSWORD)
        step, message = failed(outcome)
        assert step == "ask its version"
        assert PASSWORD not in message

    async def test_a_token_that_cannot_be_sent_is_a_step_that_failed(self) -> None:
        with spoken(Spoken) as address:
            step, message = failed(
                await outcome_of("spark", {"address": address.replace("http", "sc")}, token=ACCENTED)
            )
        assert step == "ask its version"
        assert ACCENTED not in message

    @pytest.mark.parametrize(
        "address", ["http://h", "sc://", "sc://h:x", "sc://h:1/;token=abc", "sc://ann:pw@h", "sc://h:1/;user_id=x"]
    )
    def test_an_address_with_more_in_it_is_refused(self, address: str) -> None:
        with pytest.raises(ValueError, match="validation error"):
            KINDS["spark"].config.model_validate({"address": address})
