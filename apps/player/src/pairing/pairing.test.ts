import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PATIENCE, START_MS, startOwnerBench } from "../../testing/owner-bench.ts";
import { codeWav } from "./code-sound.ts";

type Bench = Awaited<ReturnType<typeof startOwnerBench>>;

const MINUTE = 60_000;
let bench: Bench;

beforeEach(async () => {
  bench = await startOwnerBench();
}, START_MS);
afterEach(() => bench.close());

/** A code that is not the right one. */
function wrong(code: string, add = 1): string {
  return String((Number(code) + add) % 1_000_000).padStart(6, "0");
}

describe("a device that no person has used", () => {
  it("is open for pairing, and says how a person gets the code", async () => {
    expect(await bench.body("/pairing")).toEqual({
      open: true,
      paired: false,
      expires_in_s: 300,
      ways: { screen: true, console: true, sound: false, button: true },
    });
  });

  it("gives the token to the first person who types its code, and closes", async () => {
    const answered = await bench.pair(bench.code());
    expect(answered.statusCode).toBe(200);
    expect(answered.json()).toEqual({ success: true, token: await bench.storedToken() });
    expect(await bench.body("/pairing")).toMatchObject({ open: false, paired: true, expires_in_s: null });
    expect((await bench.pair(bench.code())).json()).toEqual({
      error: "code: pairing is closed; press the device's button",
    });
  });

  it("closes when a person uses the token, wherever the person has it from", async () => {
    await bench.call("POST", "/playback/stop", { sent: await bench.storedToken() });
    expect(await bench.body("/pairing")).toMatchObject({ open: false, paired: true });
  });

  it("changes its code every five minutes", async () => {
    const first = bench.code();
    await bench.clock.advance(5 * MINUTE);
    expect(await bench.body("/pairing")).toMatchObject({ open: true });
    expect(bench.code()).not.toBe(first);
    expect((await bench.pair(first)).statusCode).toBe(401);
    expect((await bench.pair(bench.code())).statusCode).toBe(200);
  });

  it("is still open after a restart, and closed after a restart once a person has paired", async () => {
    await bench.close();
    const again = await startOwnerBench({ folder: bench.dataFolder });
    expect(await again.body("/pairing")).toMatchObject({ open: true, paired: false });
    expect((await again.pair(again.code())).statusCode).toBe(200);
    await again.close();
    bench = await startOwnerBench({ folder: bench.dataFolder });
    expect(await bench.body("/pairing")).toMatchObject({ open: false, paired: true });
  });

  it("gives the token to one of two people who type the code at the same moment", async () => {
    const code = bench.code();
    const statuses = await Promise.all([bench.pair(code), bench.pair(code, "192.168.0.8")]);
    expect(statuses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 400]);
  });
});

describe("a person at the device", () => {
  beforeEach(async () => {
    await bench.pair(bench.code());
  });

  it("opens pairing for five minutes by holding the button, and closes it by holding it again", async () => {
    await bench.hold(2100);
    expect(await bench.body("/pairing")).toMatchObject({ open: true, paired: true, expires_in_s: 300 });
    await bench.hold(2100);
    expect(await bench.body("/pairing")).toMatchObject({ open: false });
    await bench.hold(2100);
    await bench.clock.advance(5 * MINUTE);
    expect((await bench.pair(bench.code())).statusCode).toBe(400);
  });

  it("opens pairing by a short press of the set-up key", async () => {
    await bench.hold(100, "setup");
    expect((await bench.pair(bench.code())).statusCode).toBe(200);
  });

  it("lets one more person in with each code", async () => {
    await bench.hold(2100);
    const code = bench.code();
    expect((await bench.pair(code)).json().token).toBe(await bench.storedToken());
    expect((await bench.pair(code)).statusCode).toBe(400);
  });
});

describe("a device without a screen", () => {
  it("plays the code as tones when a person holds the button, and keeps no file of it", async () => {
    await bench.close();
    bench = await startOwnerBench({ hasScreen: false });
    await vi.waitFor(async () => {
      expect((await bench.body("/pairing")).ways).toEqual({ screen: false, console: true, sound: true, button: true });
    }, PATIENCE);
    expect(bench.engine.loads).toEqual([]);
    await bench.hold(2100);
    await vi.waitFor(() => expect(bench.engine.loads).toHaveLength(1), PATIENCE);
    const path = join(bench.dataFolder, "pairing-code.wav");
    expect(codeWav(bench.code()).equals(await readFile(path))).toBe(true);
    bench.engine.emit("flowing");
    bench.engine.emit("ended");
    await vi.waitFor(() => expect(readFile(path)).rejects.toThrow("ENOENT"), PATIENCE);
    expect((await bench.pair(bench.code())).statusCode).toBe(200);
  });
});

describe("guessing", () => {
  it.each(["", "12345", "1234567", "12345a", "１２３４５６", "123 456"])("refuses %j as no code", async (code) => {
    const refused = await bench.pair(code);
    expect(refused.statusCode).toBe(400);
    expect(refused.json().error).toMatch(/^code: /);
  });

  it("names a wrong code, and lets the same client try three times", async () => {
    const code = bench.code();
    for (const add of [1, 2, 3]) {
      const refused = await bench.pair(wrong(code, add));
      expect(refused.statusCode).toBe(401);
      expect(refused.headers).toMatchObject({ "problem-field": "code", "problem-code": "code_wrong" });
    }
    const refused = await bench.pair(code);
    expect(refused.statusCode).toBe(429);
    expect(refused.headers["retry-after"]).toBe("300");
    expect((await bench.pair(code, "192.168.0.8")).statusCode).toBe(200);
  });

  it("cannot lock out a person at the device", async () => {
    for (let host = 1; host <= 10; host += 1) await bench.pair(wrong(bench.code()), `10.0.0.${host}`);
    expect((await bench.pair(bench.code())).statusCode).toBe(429);
    expect(await bench.body("/pairing")).toMatchObject({ open: false, paired: false });
    await bench.hold(2100);
    expect((await bench.pair(bench.code())).statusCode).toBe(200);
  });

  it("raises the alarm", async () => {
    for (let host = 1; host <= 12; host += 1) await bench.pair(wrong(bench.code()), `10.0.0.${host}`);
    expect(bench.warnings).toEqual(["wrong tokens"]);
  });

  it("has a budget of five codes a minute for each address", async () => {
    await bench.close();
    bench = await startOwnerBench({ isLimited: true });
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1) statuses.push((await bench.pair(wrong(bench.code()))).statusCode);
    expect(statuses).toEqual([401, 401, 401, 429, 429, 429]);
    expect((await bench.pair(bench.code(), "192.168.0.8")).statusCode).toBe(200);
  });
});

describe("a page that has the token", () => {
  it("gets a code for another browser, which the device does not show", async () => {
    const sent = await bench.storedToken();
    const { statusCode } = await bench.call("POST", "/pairing/code");
    expect(statusCode).toBe(401);
    const issued = (await bench.call("POST", "/pairing/code", { sent })).json();
    expect(issued).toEqual({ success: true, code: expect.stringMatching(/^\d{6}$/), expires_in_s: 300 });
    expect(bench.printed.join("")).not.toContain(issued.code);
    expect((await bench.pair(issued.code)).json().token).toBe(sent);
  });
});

describe("with pairing switched off", () => {
  it("no code exists and no way is offered", async () => {
    await bench.close();
    bench = await startOwnerBench({ hasPairing: false });
    expect(await bench.body("/pairing")).toEqual({
      open: false,
      paired: false,
      expires_in_s: null,
      ways: { screen: false, console: false, sound: false, button: false },
    });
    await bench.hold(2100);
    expect((await bench.pair("000000")).statusCode).toBe(400);
    const sent = await bench.storedToken();
    expect((await bench.call("POST", "/pairing/code", { sent })).statusCode).toBe(400);
  });
});
