import { describe, expect, it } from "vitest";
import { createTokenKeeper } from "../browser/token-keeper.ts";
import { ApiError } from "./api-client.ts";
import { createCommands } from "./commands.ts";

const TOKEN = "a".repeat(64);
const OTHER = "b".repeat(64);

function locked(token?: string) {
  const tokens = createTokenKeeper(token);
  const reported: number[] = [];
  const commands = createCommands({ tokens, report: ({ status }) => reported.push(status) });
  return { tokens, reported, commands };
}

describe("a command", () => {
  it("a command is sent at once when the browser has the token", async () => {
    const { commands, tokens } = locked(TOKEN);
    expect(await commands.run(() => Promise.resolve())).toBe(true);
    expect(tokens.question.value).toBeUndefined();
  });

  it("asks for the token first, and is sent with it", async () => {
    const { commands, tokens } = locked();
    const sent: unknown[] = [];
    const done = commands.run(async () => void sent.push(tokens.token.value));
    expect(tokens.question.value).toEqual({ why: "needed" });
    expect(sent).toEqual([]);
    tokens.answer(TOKEN);
    expect(await done).toBe(true);
    expect(sent).toEqual([TOKEN]);
  });

  it("a command is not sent when the owner declines, and shows no error", async () => {
    const { commands, tokens, reported } = locked();
    const done = commands.run(() => Promise.reject(new Error("sent")));
    tokens.answer(undefined);
    expect(await done).toBe(false);
    expect(reported).toEqual([]);
  });

  it("forgets a wrong token, asks for the new one and is sent again", async () => {
    const { commands, tokens } = locked(TOKEN);
    const tried: unknown[] = [];
    const done = commands.run(async () => {
      tried.push(tokens.token.value);
      if (tokens.token.value !== OTHER) throw new ApiError(401, "token");
    });
    await new Promise<void>((resolve) => setImmediate(resolve));
    expect(tokens.question.value).toEqual({ why: "refused" });
    expect(tokens.token.value).toBeUndefined();
    tokens.answer(OTHER);
    expect(await done).toBe(true);
    expect(tried).toEqual([TOKEN, OTHER]);
  });

  it("reports what the device refused", async () => {
    const { commands, reported } = locked(TOKEN);
    expect(await commands.run(() => Promise.reject(new ApiError(400, "volume: must be …")))).toBe(false);
    expect(reported).toEqual([400]);
  });

  it("rethrows a fault of the page itself", async () => {
    const { commands } = locked(TOKEN);
    await expect(commands.run(() => Promise.reject(new TypeError("a bug")))).rejects.toThrow("a bug");
  });
});
