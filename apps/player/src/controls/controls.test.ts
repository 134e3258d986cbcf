import { access } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PATIENCE, START_MS, startOwnerBench } from "../../testing/owner-bench.ts";

type Bench = Awaited<ReturnType<typeof startOwnerBench>>;

let bench: Bench;
let sent: string;

beforeEach(async () => {
  bench = await startOwnerBench();
  sent = await bench.storedToken();
}, START_MS);
afterEach(() => bench.close());

const status = () => bench.body("/playback/status");

async function playSurah(): Promise<void> {
  await bench.untilScanned();
  const played = await bench.call("POST", "/playback/play", { body: { path: "Husary/001.mp3" }, sent });
  expect(played.statusCode).toBe(200);
  bench.engine.emit("flowing");
}

/** Waits for work that a key has started and that uses the disk. */
async function until(check: () => Promise<void>): Promise<void> {
  await vi.waitFor(async () => {
    await bench.clock.advance(100);
    await check();
  }, PATIENCE);
}

describe("a short press of the button", () => {
  it("pauses what plays, and resumes it", async () => {
    await playSurah();
    await bench.hold(100);
    expect((await status()).state).toBe("paused");
    await bench.hold(100);
    expect((await status()).state).toBe("playing");
  });

  it("ends an adhan and returns to what played before", async () => {
    await playSurah();
    await bench.call("POST", "/prayer/test-adhan", { sent });
    await until(async () => expect(bench.engine.loads).toHaveLength(2));
    await bench.hold(100);
    await until(async () => expect((await status()).track).toBe("Husary/001.mp3"));
    expect((await status()).state).not.toBe("paused");
  });

  it("a short press of the button has no effect when there is nothing to play", async () => {
    await bench.hold(100);
    expect((await status()).state).toBe("stopped");
  });

  it("only wakes a device that sleeps", async () => {
    await playSurah();
    await bench.call("POST", "/playback/pause", { sent });
    await bench.call("POST", "/system/sleep", { sent });
    await bench.clock.advance(600);
    await bench.hold(100);
    expect((await status()).state).not.toBe("playing");
  });
});

describe("the other keys", () => {
  it("the other keys change the volume within its limits, also while they are held", async () => {
    bench.hand.key("volume_up", "down");
    bench.hand.key("volume_up", "repeat");
    bench.hand.key("volume_up", "up");
    expect((await status()).volume).toBe(60);
    await bench.call("POST", "/settings", { body: { max_volume: 63 }, sent });
    for (let count = 0; count < 5; count += 1) await bench.hold(10, "volume_up");
    expect((await status()).volume).toBe(63);
    for (let count = 0; count < 20; count += 1) await bench.hold(10, "volume_down");
    expect((await status()).volume).toBe(0);
  });

  it("the other keys choose the next and the previous surah", async () => {
    await playSurah();
    await bench.hold(100, "next");
    await until(async () => expect((await status()).surah_number).toBe(2));
    await bench.hold(100, "previous");
    await until(async () => expect((await status()).surah_number).toBe(1));
  });
});

it("a volume key that is stuck does not disable the button", async () => {
  await playSurah();
  bench.hand.key("volume_down", "down");
  for (let count = 0; count < 300; count += 1) {
    bench.hand.key("volume_down", "repeat");
    await bench.clock.advance(33);
  }
  await bench.hold(100);
  expect((await status()).state).toBe("paused");
  expect(bench.warnings).toEqual(["faulty control ignored until it is silent"]);
});

describe("a knob", () => {
  it("changes the volume by two for each step", async () => {
    bench.hand.turn(3);
    bench.hand.turn(-1);
    await bench.clock.advance(200);
    expect((await status()).volume).toBe(54);
  });

  it("ignores a knob that turns endlessly until it is silent, with few writes", async () => {
    const volumes = () => bench.engine.commands.filter((command) => command.startsWith("volume ")).length;
    const before = volumes();
    for (let count = 0; count < 3000; count += 1) {
      bench.hand.turn(count % 3 === 0 ? 5 : -5);
      await bench.clock.advance(20);
    }
    expect(volumes() - before).toBeLessThan(200);
    expect(bench.warnings).toEqual(["faulty control ignored until it is silent"]);
    const { volume } = await status();
    bench.hand.turn(volume < 50 ? 1 : -1);
    await bench.clock.advance(6000);
    bench.hand.turn(volume < 50 ? 1 : -1);
    await bench.clock.advance(200);
    expect((await status()).volume).toBe(volume < 50 ? volume + 2 : volume - 2);
  });
});

describe("holding the button for ten seconds", () => {
  it("warns, and resets to a device that no person has used", async () => {
    await bench.call("POST", "/settings", { body: { device_name: "Kitchen" }, sent });
    bench.hand.key("main", "down");
    await bench.clock.advance(6000);
    await until(async () => expect(bench.engine.loads).toHaveLength(1));
    expect((await bench.body("/settings")).device_name).toBe("Kitchen");
    await bench.clock.advance(4500);
    bench.hand.key("main", "up");
    await until(async () => expect((await bench.body("/settings")).device_name).toBe("Manara"));
    await until(async () => expect(await bench.storedToken()).not.toBe(sent));
    // The code of the first two seconds is void, and only another act of a person makes the next one.
    expect(await bench.body("/pairing")).toMatchObject({ open: false, paired: false });
    expect((await bench.pair(bench.code())).statusCode).toBe(400);
    await bench.hold(2100);
    expect((await bench.pair(bench.code())).json().token).toBe(await bench.storedToken());
  });

  it("resets nothing when the key is stuck, or disappears", async () => {
    await bench.hold(60_000);
    bench.hand.key("main", "down");
    await bench.clock.advance(15_000);
    bench.hand.key("main", "lost");
    await bench.clock.advance(60_000);
    expect(await bench.storedToken()).toBe(sent);
    expect(bench.warnings).toContain("stuck or bouncing key ignored until it is released");
  });

  it("resets once when a page asks for it at the same moment", async () => {
    bench.hand.key("main", "down");
    await bench.clock.advance(10_500);
    bench.hand.key("main", "up");
    const [answered] = await Promise.all([bench.call("POST", "/reset", { sent }), bench.clock.advance(100)]);
    expect([200, 401]).toContain(answered.statusCode);
    await until(async () => expect(await bench.storedToken()).not.toBe(sent));
    expect(await bench.body("/pairing")).toMatchObject({ open: false, paired: false });
    await access(join(bench.dataFolder, "unpaired"));
  });

  it("lets no code through while the token changes", async () => {
    await bench.close();
    let proceed: (() => void) | undefined;
    const beforeRenewal = () =>
      new Promise<void>((resolve) => {
        proceed = resolve;
      });
    bench = await startOwnerBench({ beforeRenewal });
    sent = await bench.storedToken();
    await bench.hold(2100);
    const code = bench.code();
    const reset = bench.call("POST", "/reset", { sent });
    await vi.waitFor(() => expect(proceed).toBeDefined(), PATIENCE);
    expect((await bench.pair(code)).statusCode).toBe(400);
    await expect(bench.openAtConsole()).rejects.toThrow("pairing: the device is being reset");
    await bench.hold(2100);
    expect(await bench.body("/pairing")).toMatchObject({ open: false });
    proceed?.();
    expect((await reset).statusCode).toBe(200);
    expect(await bench.body("/pairing")).toMatchObject({ open: false, paired: false });
    await access(join(bench.dataFolder, "unpaired"));
    expect((await bench.pair(code)).statusCode).toBe(400);
    await bench.hold(2100);
    expect((await bench.pair(code)).statusCode).toBe(401);
    expect((await bench.pair(bench.code())).json().token).toBe(await bench.storedToken());
    expect(await bench.storedToken()).not.toBe(sent);
  });
});
