"""The pages that are there whether the web application was built or not: where one is, and how a link logs one in."""

import base64
from hashlib import sha256

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

router = APIRouter(include_in_schema=False)
unbuilt = APIRouter(include_in_schema=False)
# Fits the web application, without a file of it.
_STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.55 system-ui, sans-serif; max-width: 34rem; margin: 18vh auto 0; padding: 0 1.25rem; }
h1 { font-size: 1.25rem; }
"""
# The code stands behind the #, so that neither a server's nor a proxy's log has it, and is taken out of the address at once.
# Addresses are relative: a proxy may serve all of it below a path of its own, and none of them leads to another server.
_SCRIPT = """
// What stands between backticks is to be typed.
const part = (text, place) => {
  const made = document.createElement(place % 2 ? "code" : "span");
  made.textContent = text;
  return made;
};
const say = (text) => {
  document.getElementById("said").replaceChildren(...text.split("`").map(part));
  document.getElementById("on").hidden = false;
};
// A code has no slash in it: with the first, the page begins that it leads to.
const [code, ...page] = location.hash.slice(1).split("/");
history.replaceState(null, "", location.pathname);
fetch("../api/v1/login/once", {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ code }),
}).then(async (answer) => {
  if (answer.ok) { location.replace(`../${page.join("/")}`); return; }
  const { error } = await answer.json();
  say(`${error.message} ${error.hint ?? ""}`);
}).catch(() => say("The control plane does not answer. See `boathouse status`."));
"""
_ONCE = f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Boathouse</title>
<style>{_STYLE}</style>
<h1>Boathouse</h1>
<p id="said" role="status">Logging in …</p>
<p id="on" hidden><a href="../">Go on to Boathouse</a>, if you are logged in, or to its login.</p>
<noscript>This page needs JavaScript.</noscript>
<script>{_SCRIPT}</script>
</html>
"""
_HOME = f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Boathouse</title>
<style>{_STYLE}</style>
<h1>Boathouse</h1>
<p>The control plane is here, but its web application was not built. In the checkout, <code>make ui</code> builds it; then
start the control plane again. An installed package brings it along.</p>
<p>Meanwhile the command <code>boathouse</code> does all of it, and so does the <a href="api/v1/openapi.json">API</a>.
<a href="api/v1/me">Who you are</a>.</p>
</html>
"""


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(sha256(text.encode()).digest()).decode()


_HEADERS = {
    "Content-Security-Policy": f"default-src 'none'; script-src '{_hash(_SCRIPT)}'; style-src '{_hash(_STYLE)}'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


@unbuilt.get("/")
async def home() -> HTMLResponse:
    return HTMLResponse(_HOME, headers=_HEADERS)


@router.get("/login/once")
async def once() -> HTMLResponse:
    return HTMLResponse(_ONCE, headers=_HEADERS)
