"""How a token is obtained, renewed and refused."""

import asyncio
import hashlib
import time
from base64 import b64encode, urlsafe_b64encode
from collections import Counter
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import httpx
import jwt
import orjson
import pytest
from structlog.testing import capture_logs

from boathouse.catalog.access import client_secrets
from boathouse.catalog.access.client_secrets import new_secret
from boathouse.catalog.access.privileges import Privilege
from boathouse.catalog.access.securables import Securable
from tests.behaviour.catalog.guarded_catalog import ACCESS_TOKEN, EXCHANGE, LAKE, LIFETIME, GuardedCatalog
from tests.behaviour.catalog.http_catalog import HttpCatalog

CREDENTIALS = {"grant_type": "client_credentials"}


@pytest.fixture
async def lake(tmp_path: Path) -> AsyncGenerator[GuardedCatalog]:
    lake = GuardedCatalog(tmp_path)
    yield lake
    await lake.close()


def token_of(response: httpx.Response) -> str:
    assert response.status_code == 200, response.text
    return response.json()["access_token"]


def error_of(response: httpx.Response, status: int) -> str:
    assert response.status_code == status, response.text
    assert set(response.json()) == {"error", "error_description"}
    return response.json()["error"]


async def namespaces(lake: GuardedCatalog, token: str, warehouse: str = "lake") -> httpx.Response:
    return await lake.http.get(f"/v1/{warehouse}/namespaces", headers={"Authorization": f"Bearer {token}"})


async def refusal(lake: GuardedCatalog, token: str, warehouse: str = "lake") -> str:
    response = await namespaces(lake, token, warehouse)
    assert response.status_code == 401, response.text
    assert response.headers["www-authenticate"].startswith("Bearer")
    assert response.json()["error"]["type"] == "NotAuthorizedException"
    return response.json()["error"]["message"]


def basic(name: str, secret: str) -> dict[str, str]:
    return {"Authorization": "Basic " + b64encode(f"{name}:{secret}".encode()).decode()}


class TestClientCredentials:
    async def test_a_secret_is_exchanged_for_a_token_that_works(self, lake: GuardedCatalog) -> None:
        issued = await lake.principal("ann", (Privilege.LIST, LAKE))
        response = await lake.log_in(issued, scope="catalog")
        assert response.headers["cache-control"] == "no-store"
        assert response.json() == {
            "access_token": token_of(response),
            "token_type": "bearer",
            "expires_in": LIFETIME,
            "issued_token_type": ACCESS_TOKEN,
            "scope": "catalog",
        }
        assert (await namespaces(lake, token_of(response))).status_code == 200

    async def test_the_secret_may_come_in_a_basic_header(self, lake: GuardedCatalog) -> None:
        issued = await lake.principal("ann@example.org")
        for name in ("ann@example.org", "ann%40example.org"):
            token_of(await lake.ask(CREDENTIALS, headers=basic(name, issued.secret)))

    async def test_a_wrong_secret_and_an_unknown_principal_are_told_the_same(self, lake: GuardedCatalog) -> None:
        await lake.principal("ann")
        answers = [
            await lake.ask(CREDENTIALS | {"client_id": name, "client_secret": "wrong"})
            for name in ("ann", "bob", "", "a/b", "ann\x00", "x" * 5000)
        ]
        assert {error_of(answer, 401) for answer in answers} == {"invalid_client"}
        assert len({answer.text for answer in answers}) == 1
        assert answers[0].headers["www-authenticate"].startswith("Basic")

    async def test_and_take_the_same_work(self, lake: GuardedCatalog, monkeypatch: pytest.MonkeyPatch) -> None:
        await lake.principals.rotate((await lake.principal("ann")).principal.name, grace=60)
        hashed: list[bytes] = []
        scrypt = hashlib.scrypt

        def counted(password: bytes, **options: Any) -> bytes:
            hashed.append(password)
            return scrypt(password, **options)

        monkeypatch.setattr("boathouse.catalog.access.client_secrets.scrypt", counted)
        for name in ("ann", "bob"):
            await lake.ask(CREDENTIALS | {"client_id": name, "client_secret": new_secret()})
        assert len(hashed) == 2

    @pytest.mark.parametrize(
        ("form", "status", "error"),
        [
            ({"scope": "catalog"}, 400, "unsupported_grant_type"),
            ({"grant_type": "password"}, 400, "unsupported_grant_type"),
            (CREDENTIALS, 401, "invalid_client"),
            (CREDENTIALS | {"client_id": "ann"}, 401, "invalid_client"),
            (CREDENTIALS | {"client_secret": "x"}, 401, "invalid_client"),
            ({"grant_type": EXCHANGE}, 400, "invalid_request"),
            ({"grant_type": EXCHANGE, "subject_token_type": ACCESS_TOKEN}, 400, "invalid_grant"),
        ],
    )
    async def test_what_cannot_be_granted(
        self, lake: GuardedCatalog, form: dict[str, str], status: int, error: str
    ) -> None:
        assert error_of(await lake.ask(form), status) == error

    @pytest.mark.parametrize(
        ("content", "kind"),
        [
            (b'{"grant_type":"client_credentials"}', "application/json"),
            (b"\xff=%ff", "application/x-www-form-urlencoded"),
            (b"a=%ff", "application/x-www-form-urlencoded"),
            (b"grant_type=a&grant_type=b", "application/x-www-form-urlencoded"),
            (b"&".join(b"a%d=b" % i for i in range(100)), "application/x-www-form-urlencoded"),
        ],
    )
    async def test_what_is_no_form(self, lake: GuardedCatalog, content: bytes, kind: str) -> None:
        response = await lake.http.post("/v1/oauth/tokens", content=content, headers={"Content-Type": kind})
        assert error_of(response, 400) == "invalid_request"

    async def test_little_is_read_of_what_anybody_may_send(self, lake: GuardedCatalog) -> None:
        response = await lake.ask(CREDENTIALS | {"client_secret": "x" * 70_000})
        assert response.status_code == 413

    async def test_a_secret_in_two_places_is_refused(self, lake: GuardedCatalog) -> None:
        form = CREDENTIALS | {"client_id": "ann", "client_secret": "x"}
        assert error_of(await lake.ask(form, headers=basic("ann", "x")), 400) == "invalid_request"
        assert error_of(await lake.ask(CREDENTIALS, headers={"Authorization": "Basic %"}), 401) == "invalid_client"

    async def test_neither_secret_nor_token_is_logged(self, lake: GuardedCatalog) -> None:
        issued = await lake.principal("ann", (Privilege.LIST, LAKE))
        with capture_logs() as told:
            token = token_of(await lake.log_in(issued))
            await lake.ask(CREDENTIALS | {"client_id": "bob", "client_secret": issued.secret})
            await namespaces(lake, token)
            await namespaces(lake, token + "x")
        text = orjson.dumps(told).decode()
        assert issued.secret not in text
        assert token not in text
        assert [line.get("principal") for line in told] == ["ann", None, "ann", None]

    async def test_a_catalog_with_another_way_in_issues_none(self, tmp_path: Path) -> None:
        lake = HttpCatalog(tmp_path / "other")
        response = await lake.http.post("/v1/oauth/tokens", data=CREDENTIALS)
        assert error_of(response, 400) == "unsupported_grant_type"
        await lake.close()

    async def test_many_at_once_are_answered(self, lake: GuardedCatalog) -> None:
        issued = await lake.principal("ann")
        answers = await asyncio.gather(*(lake.log_in(issued) for _ in range(5)))
        assert {answer.status_code for answer in answers} == {200}


class TestScope:
    @pytest.mark.parametrize("scope", ["", "catalog", "PRINCIPAL_ROLE:ALL"])
    async def test_what_clients_ask_for_by_default_is_everything(self, lake: GuardedCatalog, scope: str) -> None:
        issued = await lake.principal("ann", (Privilege.LIST, LAKE), (Privilege.LIST, Securable("pond")))
        token = token_of(await lake.log_in(issued, scope=scope))
        assert [(await namespaces(lake, token, name)).status_code for name in ("lake", "pond")] == [200, 200]

    @pytest.mark.parametrize(
        "scope", ["admin", "warehouse:", "warehouse:a b", "warehouse:a warehouse:b", "warehouse:/"]
    )
    async def test_a_scope_that_is_not_known_is_refused(self, lake: GuardedCatalog, scope: str) -> None:
        assert error_of(await lake.log_in(await lake.principal("ann"), scope=scope), 400) == "invalid_scope"

    async def test_a_token_for_one_warehouse_is_refused_by_another(self, lake: GuardedCatalog) -> None:
        issued = await lake.principal("ann", (Privilege.LIST, LAKE), (Privilege.LIST, Securable("pond")))
        token = token_of(await lake.log_in(issued, scope="warehouse:lake"))
        assert (await namespaces(lake, token)).status_code == 200
        assert "for warehouse lake only" in await refusal(lake, token, "pond")
        renewed = token_of(await lake.exchange(token, scope="catalog"))
        await refusal(lake, renewed, "pond")
        assert error_of(await lake.exchange(token, scope="warehouse:pond"), 400) == "invalid_scope"


class TestForgery:
    """Each of these changes one thing about a token that would be good."""

    @pytest.fixture
    async def good(self, lake: GuardedCatalog) -> str:
        return token_of(await lake.log_in(await lake.principal("ann", (Privilege.LIST, LAKE))))

    async def test_another_payload(self, lake: GuardedCatalog, good: str) -> None:
        await lake.principal("admin", (Privilege.MANAGE, LAKE))
        header, _, signature = good.split(".")
        claims = jwt.decode(good, options={"verify_signature": False}) | {"sub": "admin"}
        payload = urlsafe_b64encode(orjson.dumps(claims)).rstrip(b"=").decode()
        await refusal(lake, f"{header}.{payload}.{signature}")

    @pytest.mark.parametrize("algorithm", ["none", "HS384", "HS512"])
    async def test_another_algorithm(self, lake: GuardedCatalog, good: str, algorithm: str) -> None:
        """Even with the right key: what a token's header says of itself is not believed."""
        claims = jwt.decode(good, options={"verify_signature": False})
        key = (await lake.keys.current())[0]
        secret = "" if algorithm == "none" else key.secret * 2
        await refusal(lake, jwt.encode(claims, secret, algorithm=algorithm, headers={"kid": key.id}))

    async def test_another_key(self, lake: GuardedCatalog, good: str) -> None:
        claims = jwt.decode(good, options={"verify_signature": False})
        for kid in ((await lake.keys.current())[0].id, "unknown", None, "../../etc/passwd"):
            headers = {} if kid is None else {"kid": kid}
            await refusal(lake, jwt.encode(claims, b"k" * 32, algorithm="HS256", headers=headers))

    @pytest.mark.parametrize("claim", ["iss", "sub", "exp", "iat", "pid", "gen"])
    async def test_a_missing_claim(self, lake: GuardedCatalog, good: str, claim: str) -> None:
        claims = jwt.decode(good, options={"verify_signature": False})
        del claims[claim]
        key = (await lake.keys.current())[0]
        await refusal(lake, jwt.encode(claims, key.secret, algorithm="HS256", headers={"kid": key.id}))

    @pytest.mark.parametrize("token", ["x", "a.b", "a.b.c", "..", "e30.e30.", "\xff.\xff.\xff", "x" * 20_000])
    async def test_no_token_at_all(self, lake: GuardedCatalog, token: str) -> None:
        headers = {b"Authorization": b"Bearer " + token.encode("latin-1")}
        response = await lake.http.get("/v1/lake/namespaces", headers=headers)
        assert response.status_code == 401

    async def test_another_catalogs(self, lake: GuardedCatalog, tmp_path: Path) -> None:
        other = GuardedCatalog(tmp_path / "other")
        issued = await other.principal("ann", (Privilege.LIST, LAKE))
        assert "key that this catalog does not have" in await refusal(lake, token_of(await other.log_in(issued)))
        await other.close()

    async def test_the_secret_is_no_token(self, lake: GuardedCatalog) -> None:
        await refusal(lake, (await lake.principal("ann", (Privilege.LIST, LAKE))).secret)


class TestTheEndOfAToken:
    async def test_it_expires(self, lake: GuardedCatalog) -> None:
        token = token_of(await lake.log_in(await lake.principal("ann", (Privilege.LIST, LAKE))))
        lake.now += LIFETIME - 1
        assert (await namespaces(lake, token)).status_code == 200
        lake.now += 1
        assert "expired" in await refusal(lake, token)

    async def test_a_deleted_principals_is_refused_within_a_second(self, lake: GuardedCatalog) -> None:
        token = token_of(await lake.log_in(await lake.principal("ann", (Privilege.LIST, LAKE))))
        assert (await namespaces(lake, token)).status_code == 200
        await lake.principals.delete("ann")
        lake.a_moment_later()
        assert "no longer there" in await refusal(lake, token)

    async def test_it_is_not_good_for_another_principal_of_the_same_name(self, lake: GuardedCatalog) -> None:
        token = token_of(await lake.log_in(await lake.principal("ann", (Privilege.LIST, LAKE))))
        await lake.principals.delete("ann")
        await lake.principal("ann", (Privilege.MANAGE, LAKE))
        lake.a_moment_later()
        await refusal(lake, token)


class TestRotation:
    async def test_the_old_secret_stops_at_once_and_its_tokens_when_they_expire(self, lake: GuardedCatalog) -> None:
        old = await lake.principal("ann", (Privilege.LIST, LAKE))
        token = token_of(await lake.log_in(old))
        new = await lake.principals.rotate("ann")
        assert error_of(await lake.log_in(old), 401) == "invalid_client"
        token_of(await lake.log_in(new))
        lake.now += LIFETIME - 1
        assert (await namespaces(lake, token)).status_code == 200

    async def test_with_a_grace_both_are_good_for_a_while(self, lake: GuardedCatalog) -> None:
        old = await lake.principal("ann")
        new = await lake.principals.rotate("ann", grace=60)
        token_of(await lake.log_in(old))
        token_of(await lake.log_in(new))
        lake.now += 60
        error_of(await lake.log_in(old), 401)
        token_of(await lake.log_in(new))

    async def test_rotating_again_ends_the_grace_of_the_one_before(self, lake: GuardedCatalog) -> None:
        old = await lake.principal("ann")
        await lake.principals.rotate("ann", grace=60)
        await lake.principals.rotate("ann")
        error_of(await lake.log_in(old), 401)

    async def test_a_token_of_a_replaced_secret_is_not_renewed(self, lake: GuardedCatalog) -> None:
        """Else whoever had stolen a token could keep it alive for ever."""
        token = token_of(await lake.log_in(await lake.principal("ann")))
        await lake.principals.rotate("ann")
        lake.a_moment_later()
        response = await lake.exchange(token)
        assert error_of(response, 400) == "invalid_grant"
        assert "was replaced" in response.text


class TestExchange:
    async def test_a_token_is_renewed_before_it_ends(self, lake: GuardedCatalog) -> None:
        token = token_of(await lake.log_in(await lake.principal("ann", (Privilege.LIST, LAKE))))
        lake.now += LIFETIME - 1
        renewed = token_of(await lake.exchange(token))
        lake.now += LIFETIME - 1
        assert (await namespaces(lake, renewed)).status_code == 200
        await refusal(lake, token)

    async def test_one_that_has_ended_is_not(self, lake: GuardedCatalog) -> None:
        token = token_of(await lake.log_in(await lake.principal("ann")))
        lake.now += LIFETIME
        assert error_of(await lake.exchange(token), 400) == "invalid_grant"

    async def test_but_is_beside_the_secret(self, lake: GuardedCatalog) -> None:
        """As Java's client does when it was asleep."""
        issued = await lake.principal("ann", (Privilege.LIST, LAKE))
        token = token_of(await lake.log_in(issued))
        lake.now += LIFETIME
        form = {"grant_type": EXCHANGE, "subject_token": token, "subject_token_type": ACCESS_TOKEN}
        renewed = token_of(await lake.ask(form, headers=basic("ann", issued.secret)))
        assert (await namespaces(lake, renewed)).status_code == 200
        assert error_of(await lake.ask(form, headers=basic("ann", "wrong")), 401) == "invalid_client"

    async def test_nobody_renews_anothers(self, lake: GuardedCatalog) -> None:
        token = token_of(await lake.log_in(await lake.principal("ann")))
        bob = await lake.principal("bob")
        form = {"grant_type": EXCHANGE, "subject_token": token, "subject_token_type": ACCESS_TOKEN}
        assert error_of(await lake.ask(form, headers=basic("bob", bob.secret)), 400) == "invalid_grant"

    async def test_nobody_acts_for_another(self, lake: GuardedCatalog) -> None:
        token = token_of(await lake.log_in(await lake.principal("ann")))
        response = await lake.exchange(token, actor_token=token, actor_token_type=ACCESS_TOKEN)
        assert error_of(response, 400) == "invalid_request"


class TestSigningKeys:
    async def test_every_server_of_a_store_accepts_every_servers_tokens(
        self, lake: GuardedCatalog, tmp_path: Path
    ) -> None:
        other = GuardedCatalog(tmp_path)
        token = token_of(await other.log_in(await lake.principal("ann", (Privilege.LIST, LAKE))))
        assert (await namespaces(lake, token)).status_code == 200
        await lake.keys.rotate()
        other.a_moment_later()
        newer = token_of(await other.exchange(token))
        # At once: a key that was not seen before is looked for.
        assert (await namespaces(lake, newer)).status_code == 200
        await other.close()

    async def test_servers_that_start_together_agree_on_the_first_key(self, lake: GuardedCatalog) -> None:
        first, second = await asyncio.gather(lake.keys.current(), lake.keys.current())
        assert first == second

    async def test_tokens_of_a_replaced_key_are_good_until_they_expire(self, lake: GuardedCatalog) -> None:
        token = token_of(await lake.log_in(await lake.principal("ann", (Privilege.LIST, LAKE))))
        await lake.keys.rotate()
        lake.now += LIFETIME - 1
        assert (await namespaces(lake, token)).status_code == 200
        assert len(await lake.keys.current()) == 2
        lake.now += 2 * 24 * 3600
        assert len(await lake.keys.current()) == 1

    async def test_or_end_at_once_when_the_key_is_known_to_others(self, lake: GuardedCatalog) -> None:
        token = token_of(await lake.log_in(await lake.principal("ann", (Privilege.LIST, LAKE))))
        assert (await namespaces(lake, token)).status_code == 200
        await lake.keys.rotate(at_once=True)
        lake.a_moment_later()
        await refusal(lake, token)


async def test_a_copy_of_the_store_does_not_give_secrets_away(lake: GuardedCatalog) -> None:
    issued = await lake.principal("ann")
    entry = await lake.store.read("principal/ann")
    assert entry is not None
    assert issued.secret.encode() not in entry.value


class TestFloods:
    async def test_who_was_right_before_need_not_wait_behind_those_who_guess(self, lake: GuardedCatalog) -> None:
        known = await lake.principal("known")
        token_of(await lake.log_in(known))
        guess = CREDENTIALS | {"client_id": "known", "client_secret": new_secret()}
        flood = [asyncio.create_task(lake.ask(guess)) for _ in range(100)]
        await asyncio.sleep(0)
        began = time.monotonic()
        token_of(await lake.log_in(known))
        assert time.monotonic() - began < 1
        statuses = Counter(response.status_code for response in await asyncio.gather(*flood))
        assert statuses.keys() == {401, 429}
        assert statuses[401] <= 20
        refused = next(task.result() for task in flood if task.result().status_code == 429)
        assert error_of(refused, 429) == "temporarily_unavailable"
        assert refused.headers["retry-after"] == "1"

    async def test_what_is_no_secret_of_ours_takes_no_hash(
        self, lake: GuardedCatalog, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        await lake.principal("known")
        monkeypatch.setattr(client_secrets, "hashed", None)
        for name in ("known", "unknown"):
            assert error_of(await lake.ask(CREDENTIALS | {"client_id": name, "client_secret": "guess"}), 401)

    async def test_a_replaced_secret_is_not_remembered(self, lake: GuardedCatalog) -> None:
        known = await lake.principal("known")
        token_of(await lake.log_in(known))
        await lake.principals.rotate("known")
        assert error_of(await lake.log_in(known), 401) == "invalid_client"

    async def test_the_log_tells_who_failed_and_from_where_but_no_secret(self, lake: GuardedCatalog) -> None:
        secret = new_secret()
        with capture_logs() as logs:
            await lake.ask(CREDENTIALS | {"client_id": "ann", "client_secret": secret})
            await lake.ask(CREDENTIALS | {"client_id": secret, "client_secret": "ann"})
        assert [line.get("claimed_principal") for line in logs] == ["ann", None]
        assert [line["client"] for line in logs] == ["127.0.0.1", "127.0.0.1"]
        assert secret not in str(logs)
