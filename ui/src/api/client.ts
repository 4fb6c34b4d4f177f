import createClient, { type Middleware } from "openapi-fetch";
import { Problem, type ProblemTold } from "./problem";
import type { paths } from "./schema";

const SAFE = new Set(["GET", "HEAD"]);
const isChange = (request: Request) => !SAFE.has(request.method);

// The cookie of the session is hidden from scripts; this one is there to be sent back with every change.
const csrf: Middleware = {
  onRequest({ request }) {
    if (isChange(request)) request.headers.set("X-Boathouse-CSRF", cookie("boathouse_csrf"));
    return request;
  },
};

const BETWEEN = new Set([502, 503, 504]);

const unreached: Middleware = {
  onError({ request }) {
    return isChange(request) ? Problem.notKnown() : Problem.away();
  },
  onResponse({ request, response }) {
    const isOurs = response.headers.get("content-type")?.includes("json");
    // A proxy in between answers for a server that is not there.
    if (BETWEEN.has(response.status) && !isOurs && isChange(request)) throw Problem.notKnown(response.status);
  },
};

export const api = createClient<paths>({ baseUrl: location.origin, credentials: "same-origin" });
api.use(csrf, unreached);

type Answer<Data> = { data?: Data; error?: unknown; response: Response };

/** What was answered; a refusal is thrown as a Problem, and so is a server that is not there. */
export async function told<Data>(asked: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await asked.catch((error: unknown) => {
    throw error instanceof Problem ? error : Problem.away();
  });
  if (!response.ok) throw Problem.from(response, error as ProblemTold | undefined);
  return data as Data;
}

function cookie(name: string): string {
  const found = document.cookie.split("; ").find((one) => one.startsWith(`${name}=`));
  return found ? decodeURIComponent(found.slice(name.length + 1)) : "";
}
