import { tokenize } from "@kit/query/query-syntax";
import { describe, expect, it } from "vitest";
import { findPlace, quoteValue } from "./query-place.ts";

/** `|` is the cursor. */
function place(text: string) {
  const cursor = text.indexOf("|");
  const found = findPlace(text.replace("|", ""), cursor);
  return [found.field, found.prefix, text.slice(0, found.from)];
}

describe("the place of a completion", () => {
  it.each([
    ["|", [undefined, "", ""]],
    ["ho|", [undefined, "ho", ""]],
    ["failed ho|st:a", [undefined, "ho", "failed "]],
    ["host:|", ["host", "", "host:"]],
    ["host:fin|", ["host", "fin", "host:"]],
    ["severity:>=me|", ["severity", "me", "severity:>="]],
    ['user:"two wo|', ["user", "two wo", "user:"]],
    ["NOT user:svc-|", ["user", "svc-", "NOT user:"]],
    ["host:(a OR b|", ["host", "b", "host:(a OR "]],
    ["(host:a OR us|", [undefined, "us", "(host:a OR "]],
    ["host:a us|", [undefined, "us", "host:a "]],
    ["attributes.client.ip:10|", ["attributes.client.ip", "10", "attributes.client.ip:"]],
  ])("finds the completion context of %s", (text, expected) => {
    expect(place(text)).toEqual(expected);
  });
});

describe("a value in a query", () => {
  it.each([
    "fin-ws-014",
    "two words",
    'a "quoted" one',
    String.raw`C:\Windows\cmd.exe`,
    "\\\\server\\share one\\",
    "a*b?",
    "10.0.0.1",
    "(x)",
    "",
  ])("quotes %j so that it parses back to the same value", (value) => {
    const [token] = tokenize(quoteValue(value));
    const text =
      token?.kind === "value" ? token.pattern.map((part) => ("text" in part ? part.text : "?")).join("") : "";
    expect(text).toBe(value);
  });

  it("adds no quotes where none are needed", () => {
    expect(quoteValue("fin-ws-014")).toBe("fin-ws-014");
  });
});
