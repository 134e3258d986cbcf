import { describe, expect, it } from "vitest";
import { createTokenKeeper, readToken } from "./token-keeper.ts";

const TOKEN = "0123456789abcdef".repeat(4);

describe("a token", () => {
  it.each([
    ["as it is", TOKEN],
    ["in capitals", TOKEN.toUpperCase()],
    ["behind the # of a link", `https://manara.local:8443/#${TOKEN}`],
    ["with spaces and line ends from a copy", ` ${TOKEN.slice(0, 32)} \n${TOKEN.slice(32)}\t`],
  ])("reads a token %s", (_how, typed) => {
    expect(readToken(typed)).toBe(TOKEN);
  });

  it.each([["", "short", TOKEN.slice(1), `${TOKEN}0`, TOKEN.replace("0", "g"), `${TOKEN}<script>`, `${TOKEN}#`]])(
    "rejects %j as a token",
    (typed) => {
      expect(readToken(typed)).toBeUndefined();
    },
  );

  it("resolves all pending requests together", async () => {
    const tokens = createTokenKeeper(undefined);
    const waiting = Promise.all([tokens.ask("needed"), tokens.ask("needed")]);
    tokens.answer(TOKEN);
    expect(await waiting).toEqual([true, true]);
    expect(tokens.token.value).toBe(TOKEN);
    expect(tokens.question.value).toBeUndefined();
  });
});
