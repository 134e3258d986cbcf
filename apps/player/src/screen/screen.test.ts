import { createFakeClock } from "@kit/clock/fake";
import { Problem } from "@kit/problem";
import { describe, expect, it, onTestFinished } from "vitest";
import { buildInputs, RECITING } from "../../testing/screen-inputs.ts";
import { createTestFrame } from "../../testing/test-frame.ts";
import { createMemoryDisplay } from "../drivers/memory-display.ts";
import { createEvents } from "../events.ts";
import type { ScreenInputs } from "./choose-screen.ts";
import type { Frame } from "./display.ts";
import { screenRoutes } from "./screen.routes.ts";
import { createScreenService, type ScreenServiceDeps } from "./screen.service.ts";
import type { ScreenModel } from "./screen-model.ts";

const START = new Date("2026-11-15T11:41:20Z");

/** The service with a painter that only records its models: picture n is filled with n. */
async function setUp(changes: Partial<ScreenServiceDeps> = {}) {
  const clock = createFakeClock(START);
  const events = createEvents();
  const display = createMemoryDisplay();
  const painted: ScreenModel[] = [];
  const warnings: string[] = [];
  let inputs: Partial<ScreenInputs> = {};
  let looks = 0;
  const paint = (model: ScreenModel): Frame => {
    painted.push(model);
    const secret = model.screen === "setup" ? { x: 0, y: 0, width: 320, height: 120 } : undefined;
    return { pixels: new Uint8Array(320 * 240 * 4).fill(painted.length), secret };
  };
  const screen = createScreenService({
    display,
    openPainter: async () => ({ paint }),
    read: () => {
      looks += 1;
      return buildInputs({ now: clock.now().getTime(), ...inputs });
    },
    events,
    clock,
    log: { warn: (_fields, message) => warnings.push(message) },
    ...changes,
  });
  onTestFinished(() => screen.close());
  const app = createTestFrame();
  await app.register(screenRoutes(screen), { prefix: "/api" });
  return {
    screen,
    clock,
    events,
    display,
    painted,
    warnings,
    looks: () => looks,
    become: (next: Partial<ScreenInputs>) => {
      inputs = next;
    },
    screenshot: () => app.inject("/api/debug/screenshot"),
  };
}

describe("screen", () => {
  it("draws an unchanged clock once a minute, although it checks every second", async () => {
    const { screen, clock, painted, looks } = await setUp();
    screen.start();
    await clock.advance(0);
    expect(painted).toHaveLength(1);
    await clock.advance(39_000);
    expect([painted.length, looks()]).toEqual([1, 40]);
    await clock.advance(1000);
    expect(painted).toHaveLength(2);
    await clock.advance(10 * 60_000);
    expect(painted).toHaveLength(12);
  });

  it("draws changes of an event immediately, and nothing else", async () => {
    const { screen, clock, events, painted, become } = await setUp();
    screen.start();
    await clock.advance(500);
    events.emit("volume", { volume: 30 });
    await clock.advance(100);
    expect(painted).toHaveLength(1);
    become({ playback: RECITING });
    events.emit("volume", { volume: 31 });
    await clock.advance(50);
    expect(painted.map((model) => model.screen)).toEqual(["idle", "now_playing"]);
  });

  it("draws at most twenty pictures per second, and always the last one", async () => {
    const { screen, clock, events, painted, become } = await setUp();
    screen.start();
    await clock.advance(0);
    for (let position = 1; position <= 1000; position += 1) {
      become({ playback: { ...RECITING, position: position * 1000 } });
      events.emit("volume", { volume: 30 });
      await clock.advance(1);
    }
    await clock.advance(50);
    expect(painted.length).toBeGreaterThan(15);
    expect(painted.length).toBeLessThanOrEqual(23);
    expect(painted.at(-1)).toMatchObject({ progress: { position: "16:40" } });
  });

  it("shows failures for half a minute after its start, then the clock", async () => {
    const { screen, clock, painted, become } = await setUp();
    become({ boot_failures: [{ component: "audio", error: "audio: no sound card" }] });
    screen.start();
    await clock.advance(29_000);
    expect(painted.at(-1)?.screen).toBe("failures");
    await clock.advance(2000);
    expect(painted.at(-1)?.screen).toBe("idle");
  });

  it("retries a picture that the panel refused, and logs it once", async () => {
    const panel = createMemoryDisplay();
    let refusals = 3;
    const show = async (frame: Frame) => {
      if (refusals > 0) {
        refusals -= 1;
        throw new Problem("failed", "display: the frame buffer takes no more");
      }
      await panel.show(frame);
    };
    const { screen, clock, painted, warnings } = await setUp({ display: { ...panel, show } });
    screen.start();
    await clock.advance(0);
    await clock.advance(10_000);
    expect(painted).toHaveLength(4);
    expect(warnings).toEqual(["drawing failed, will retry"]);
    expect(panel.pixels()[0]).toBe(4);
  });

  it("continues when reading its input fails for a moment", async () => {
    let fails = true;
    const read = () => {
      if (fails) throw new Error("the database is locked");
      return buildInputs();
    };
    const { screen, clock, painted, warnings } = await setUp({ read });
    screen.start();
    await clock.advance(2000);
    fails = false;
    await clock.advance(1000);
    expect([painted.length, warnings.length]).toEqual([1, 1]);
  });

  it("stops when it is closed, and leaves the panel dark", async () => {
    const { screen, clock, events, display, painted, looks, become } = await setUp();
    screen.start();
    await clock.advance(0);
    expect(display.pixels()[0]).toBe(1);
    await screen.close();
    await screen.close();
    become({ playback: RECITING });
    const before = looks();
    events.emit("volume", { volume: 30 });
    await clock.advance(60_000);
    expect([painted.length, looks()]).toEqual([1, before]);
    expect(display.pixels()[0]).toBe(0);
  });
});

describe("screenshot", () => {
  it("returns a bitmap of the picture on the panel", async () => {
    const { screen, clock, screenshot } = await setUp();
    screen.start();
    await clock.advance(0);
    await clock.advance(60_000);
    const answer = await screenshot();
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["content-type"]).toBe("image/bmp");
    expect(answer.rawPayload).toHaveLength(230_454);
    expect(answer.rawPayload.subarray(54).every((byte) => byte === 2)).toBe(true);
  });

  it("waits for the first picture", async () => {
    const { screen, screenshot } = await setUp();
    screen.start();
    expect((await screenshot()).statusCode).toBe(200);
  });

  it("covers the code of a pairing, which the panel shows", async () => {
    const { screen, clock, display, become, screenshot } = await setUp();
    become({ pairing: { url: "https://manara.local/#c0ffee", open: { code: "012345", left_s: 300 } } });
    screen.start();
    await clock.advance(0);
    const { rawPayload } = await screenshot();
    const half = 54 + 320 * 120 * 3;
    expect(rawPayload.subarray(54, half).every((byte) => byte === 1)).toBe(true);
    expect(rawPayload.subarray(half).every((byte) => byte === 96)).toBe(true);
    expect(display.pixels().every((byte) => byte === 1)).toBe(true);
  });

  it.each([
    ["panel", { display: { ...createMemoryDisplay(), start: refusal("display: there is no frame buffer") } }],
    ["painter", { openPainter: refusal("display: there is no frame buffer") }],
  ])("answers 500 and names the component when the %s does not start", async (_what, changes) => {
    const { screen, clock, warnings, screenshot } = await setUp(changes);
    screen.start();
    await clock.advance(5000);
    const answer = await screenshot();
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toEqual({ error: "display: there is no frame buffer" });
    expect(screen.failure()).toEqual({ component: "display", error: "there is no frame buffer" });
    expect(warnings).toEqual(["display failed to start"]);
  });

  it("does not reveal messages of foreign errors", async () => {
    const openPainter = async () => {
      throw new Error("cannot open /opt/manara/secret.node");
    };
    const { screen, clock } = await setUp({ openPainter });
    screen.start();
    await clock.advance(0);
    expect(screen.failure()).toEqual({ component: "display", error: "it cannot be opened" });
  });

  it("answers 500 before the screen was started", async () => {
    const { screenshot } = await setUp();
    expect((await screenshot()).json()).toEqual({ error: "display: nothing is shown yet" });
  });
});

function refusal(message: string): () => Promise<never> {
  return async () => {
    throw new Problem("failed", message);
  };
}
