import { describe, expect, it } from "vitest";
import { invalidField, notFound, Problem, rateLimited, STATUS_OF } from "./problem.ts";

describe("Problem", () => {
  it("maps every kind to the status of the API documents", () => {
    expect(STATUS_OF).toEqual({
      invalid: 400,
      unauthenticated: 401,
      forbidden: 403,
      not_found: 404,
      conflict: 409,
      too_large: 413,
      rate_limited: 429,
      failed: 500,
      unavailable: 503,
    });
  });

  it("keeps the cause for the log and the message for the caller", () => {
    const cause = new Error("ECONNREFUSED 10.0.0.7:5432");
    const problem = new Problem("unavailable", "the database did not answer", { cause });
    expect(problem.message).toBe("the database did not answer");
    expect(problem.cause).toBe(cause);
  });

  it("rounds the retry delay up to whole seconds", () => {
    expect(rateLimited("too many", 1001)).toMatchObject({ kind: "rate_limited", retryAfterSeconds: 2 });
    expect(notFound("case", "42").retryAfterSeconds).toBeUndefined();
  });

  it("has the field and the code as data in addition to the message", () => {
    const problem = new Problem("conflict", "the deck is busy", { field: "deck", code: "deck_busy" });
    expect(problem).toMatchObject({ message: "the deck is busy", field: "deck", code: "deck_busy" });
    expect(new Problem("failed", "deck: is broken")).toMatchObject({ field: undefined, code: undefined });
  });

  it("builds the message of an invalid field from its name and the text", () => {
    const cause = new Error("JSON");
    const problem = invalidField("ab.to", "is required", { code: "range_open", cause });
    expect(problem).toMatchObject({ kind: "invalid", message: "ab.to: is required", field: "ab.to" });
    expect(problem).toMatchObject({ code: "range_open", cause });
  });

  it("names the missing record and its id", () => {
    expect(notFound("case", "42")).toMatchObject({ kind: "not_found", message: "case '42' does not exist" });
  });
});
