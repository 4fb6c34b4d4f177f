import type { components } from "./schema";

export type ProblemTold = components["schemas"]["ErrorAnswer"];

/** Why something was not done, in the server's words: what happened, and what to do. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly hint?: string,
    readonly requestId?: string,
    /** What is wrong with each field of what was sent, where it is known. */
    readonly fields: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = "Problem";
  }

  static from(response: Response, answer: ProblemTold | undefined): Problem {
    const error = answer?.error;
    // A proxy in between answers in its own words, which are of no use to anybody.
    if (!error?.message) return Problem.away(response.status);
    return new Problem(
      response.status,
      error.code,
      error.message,
      error.hint ?? undefined,
      error.request_id ?? undefined,
      error.fields ?? undefined,
    );
  }

  static away(status = 0): Problem {
    return new Problem(
      status,
      "away",
      "The control plane does not answer.",
      "This page goes on by itself when it is back.",
    );
  }

  static of(error: unknown): Problem {
    if (error instanceof Problem) return error;
    const message = error instanceof Error ? error.message : String(error);
    return new Problem(
      0,
      "page",
      message,
      "Load the page again. If it stays, tell whoever keeps this Boathouse.",
    );
  }

  get isAway(): boolean {
    return this.code === "away" || this.status === 502 || this.status === 503 || this.status === 504;
  }

  get isLoggedOut(): boolean {
    return this.status === 401;
  }
}
