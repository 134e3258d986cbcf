import { readFile, stat } from "node:fs/promises";
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
  it("a device that no person has used is closed for codes, and names what a person in front of it can do", async () => {
    await vi.waitFor(async () => {
      expect(await bench.body("/pairing")).toEqual({
        open: false,
        paired: false,
        expires_in_s: null,
        ways: { screen: true, console: true, sound: false, button: true },
        hold_s: 2,
        command: "manara-player pair",
      });
    }, PATIENCE);
    expect(bench.code()).toBe("");
    expect((await bench.pair("000000")).json()).toEqual({
      error: "code: pairing is closed; a person at the device opens it",
    });
  });

  it("answers the token to the person who held its button, and closes", async () => {
    await bench.hold(2100);
    const answered = await bench.pair(bench.code());
    expect(answered.statusCode).toBe(200);
    expect(answered.json()).toEqual({ success: true, token: await bench.storedToken() });
    expect(await bench.body("/pairing")).toMatchObject({ open: false, paired: true, expires_in_s: null });
    expect((await bench.pair(bench.code())).statusCode).toBe(400);
  });

  it("counts as paired when a person uses the token, wherever the person has it from", async () => {
    await bench.call("POST", "/playback/stop", { sent: await bench.storedToken() });
    expect(await bench.body("/pairing")).toMatchObject({ open: false, paired: true });
  });

  it("a device that no person has used is closed and not paired after a restart while pairing was open", async () => {
    await bench.hold(2100);
    const code = bench.code();
    await bench.close();
    const again = await startOwnerBench({ folder: bench.dataFolder });
    expect(await again.body("/pairing")).toMatchObject({ open: false, paired: false, expires_in_s: null });
    expect((await again.pair(code)).statusCode).toBe(400);
    await again.hold(2100);
    expect((await again.pair(again.code())).statusCode).toBe(200);
    await again.close();
    bench = await startOwnerBench({ folder: bench.dataFolder });
    expect(await bench.body("/pairing")).toMatchObject({ open: false, paired: true });
  });

  it("answers the token to one of two people who type the code at the same moment", async () => {
    await bench.hold(2100);
    const code = bench.code();
    const statuses = await Promise.all([bench.pair(code), bench.pair(code, "192.168.0.8")]);
    expect(statuses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 400]);
  });
});

describe("a person at the device", () => {
  it("opens pairing for five minutes by holding the button, and closes it by holding it again", async () => {
    await bench.hold(2100);
    expect(await bench.body("/pairing")).toMatchObject({ open: true, expires_in_s: 300 });
    await bench.hold(2100);
    expect(await bench.body("/pairing")).toMatchObject({ open: false });
    await bench.hold(2100);
    await bench.clock.advance(5 * MINUTE);
    expect((await bench.pair(bench.code())).statusCode).toBe(400);
  });

  it("a person at the device has the same five minutes when the wall clock is set", async () => {
    const sent = await bench.storedToken();
    await bench.hold(2100);
    for (const epoch of [1_600_000_000, 1_900_000_000]) {
      await bench.call("POST", "/settings/time", { body: { epoch }, sent });
      expect(await bench.body("/pairing")).toMatchObject({ open: true });
    }
    await bench.clock.advance(5 * MINUTE);
    expect(await bench.body("/pairing")).toMatchObject({ open: false });
  });

  it("opens pairing by a short press of the set-up key", async () => {
    await bench.hold(100, "setup");
    expect((await bench.pair(bench.code())).statusCode).toBe(200);
  });

  it("pairs one more phone with each code", async () => {
    await bench.hold(2100);
    const code = bench.code();
    expect((await bench.pair(code)).json().token).toBe(await bench.storedToken());
    expect((await bench.pair(code)).statusCode).toBe(400);
  });
});

describe("the command on the device", () => {
  beforeEach(() => vi.waitFor(async () => expect((await bench.body("/pairing")).ways.console).toBe(true), PATIENCE));

  it("opens pairing for five minutes and prints the digits", async () => {
    const code = await bench.openAtConsole();
    expect(code).toMatch(/^\d{6}$/);
    expect(await bench.body("/pairing")).toMatchObject({ open: true, expires_in_s: 300 });
    expect((await bench.pair(code)).json().token).toBe(await bench.storedToken());
  });

  it("prints another code each time, and only the last one is valid", async () => {
    const [first, second] = [await bench.openAtConsole(), await bench.openAtConsole()];
    expect((await bench.pair(first)).statusCode).toBe(401);
    expect((await bench.pair(second)).statusCode).toBe(200);
  });

  it("reaches the service through a socket that only its user may open", async () => {
    const { mode } = await stat(join(bench.dataFolder, "pairing.sock"));
    expect(mode & 0o777).toBe(0o600);
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
    await bench.hold(2100);
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

  it("closes pairing after ten wrong codes of any clients, until a person at the device opens it again", async () => {
    await bench.hold(2100);
    const statuses: number[] = [];
    for (let host = 1; host <= 12; host += 1) {
      statuses.push((await bench.pair(wrong(bench.code()), `10.0.0.${host}`)).statusCode);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 400, 400]);
    expect(await bench.body("/pairing")).toMatchObject({ open: false, paired: false });
    await bench.hold(2100);
    expect((await bench.pair(bench.code())).statusCode).toBe(200);
  });

  it("raises the alarm", async () => {
    for (let opening = 0; opening < 2; opening += 1) {
      await bench.hold(2100);
      for (let host = 1; host <= 10; host += 1) await bench.pair(wrong(bench.code()), `10.0.${opening}.${host}`);
    }
    expect(bench.warnings).toEqual(["wrong tokens"]);
  });

  it("has a budget of five codes a minute for each address", async () => {
    await bench.close();
    bench = await startOwnerBench({ isLimited: true });
    await bench.hold(2100);
    const statuses: number[] = [];
    for (let count = 0; count < 6; count += 1) statuses.push((await bench.pair(wrong(bench.code()))).statusCode);
    expect(statuses).toEqual([401, 401, 401, 429, 429, 429]);
    expect((await bench.pair(bench.code(), "192.168.0.8")).statusCode).toBe(200);
  });
});

describe("a page that has the token", () => {
  it("a page that has the token cannot open pairing by any request", async () => {
    const sent = await bench.storedToken();
    for (const path of ["/pairing/code", "/pairing/open", "/pairing"]) {
      expect((await bench.call("POST", path, { sent })).statusCode).not.toBe(200);
    }
    expect(await bench.body("/pairing")).toMatchObject({ open: false });
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
      hold_s: null,
      command: null,
    });
    await bench.hold(2100);
    expect((await bench.pair("000000")).statusCode).toBe(400);
    await vi.waitFor(() => expect(bench.openAtConsole()).rejects.toThrow("PLAYER_PAIRING: is off"), PATIENCE);
  });
});
