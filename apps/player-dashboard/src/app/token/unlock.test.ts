import { describe, expect, it } from "vitest";
import { ApiError } from "../api/api-client.ts";
import { readCode, unlock } from "./unlock.ts";

const TOKEN = "0123456789abcdef".repeat(4);

/** A device that answers `/pairing` and `/rfid/scan` with the given status. */
function createDevice(status: number) {
  const asked: unknown[] = [];
  const answer = async (question: unknown[], body: object) => {
    asked.push(question);
    if (status !== 200) throw new ApiError(status, "");
    return body;
  };
  const createClient = (token?: string) => ({
    get: <Body>(path: string) => answer([token, path], {}) as Promise<Body>,
    post: <Body>(path: string, body?: unknown) => answer([token, path, body], { token: TOKEN }) as Promise<Body>,
  });
  return { asked, createClient };
}

describe("a code", () => {
  it.each(["012345", " 012 345 ", "٠١٢٣٤٥", "٠١٢ ٣٤٥", "012-345"])("is read from %j", (typed) => {
    expect(readCode(typed)).toBe("012345");
  });

  it.each(["", "12345", "1234567", "12345a", TOKEN])("is not read from %j", (typed) => {
    expect(readCode(typed)).toBeUndefined();
  });

  it("a code is exchanged for the token without sending a former token", async () => {
    const { asked, createClient } = createDevice(200);
    expect(await unlock("012 345", createClient)).toEqual({ token: TOKEN });
    expect(asked).toEqual([[undefined, "/pairing", { code: "012345" }]]);
  });

  it.each([
    [400, "closed"],
    [401, "wrong"],
    [429, "tooMany"],
    [500, "noAnswer"],
    [0, "noAnswer"],
  ])("a code that the device refuses with %i is %s", async (status, trouble) => {
    expect(await unlock("012345", createDevice(status).createClient)).toEqual({ trouble });
  });
});

describe("a token", () => {
  it("a token is checked before it is accepted", async () => {
    const { asked, createClient } = createDevice(200);
    expect(await unlock(` ${TOKEN.toUpperCase()}`, createClient)).toEqual({ token: TOKEN });
    expect(asked).toEqual([[TOKEN, "/rfid/scan"]]);
    expect(await unlock(TOKEN, createDevice(401).createClient)).toEqual({ trouble: "wrong" });
  });

  it("a token is refused when it has another form", async () => {
    const { asked, createClient } = createDevice(200);
    expect(await unlock("not a token", createClient)).toEqual({ trouble: "malformed" });
    expect(asked).toEqual([]);
  });
});
