"""The pages that a browser meets first, before there is any other: where it is, and how a link logs it in."""

import base64
from hashlib import sha256

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

router = APIRouter(include_in_schema=False)
# The code stands behind the #, so that neither a server's nor a proxy's log has it, and is taken out of the address at once.
# Addresses are relative: a proxy may serve all of it below a path of its own.
_SCRIPT = """
const say = (text) => { document.getElementById("said").textContent = text; };
const code = location.hash.slice(1);
history.replaceState(null, "", location.pathname);
fetch("../api/v1/login/once", {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ code }),
}).then(async (answer) => {
  if (answer.ok) { location.replace("../"); return; }
  const { error } = await answer.json();
  say(`${error.message} ${error.hint ?? ""}`);
}).catch(() => say("The control plane does not answer. See `boathouse status`."));
"""
_ONCE = f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Boathouse</title>
<p id="said">Logging in …</p>
<noscript>This page needs JavaScript.</noscript>
<script>{_SCRIPT}</script>
</html>
"""
_HOME = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Boathouse</title>
<h1>Boathouse</h1>
<p>The control plane is here. There are no pages to work with yet: use the command <code>boathouse</code>, or the
<a href="api/v1/openapi.json">API</a>. <a href="api/v1/me">Who you are</a>.</p>
</html>
"""
_HASH = base64.b64encode(sha256(_SCRIPT.encode()).digest()).decode()
_HEADERS = {
    "Content-Security-Policy": f"default-src 'none'; script-src 'sha256-{_HASH}'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


@router.get("/")
async def home() -> HTMLResponse:
    return HTMLResponse(_HOME, headers=_HEADERS)


@router.get("/login/once")
async def once() -> HTMLResponse:
    return HTMLResponse(_ONCE, headers=_HEADERS)
