import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { Crash, driveToEnd } from "../../../testing/matrices/response-drive.ts";
import { createPlaceNames } from "../../../testing/matrices/response-place-names.ts";
import { createPlaybookWorld, type PlaybookWorld } from "../../../testing/matrices/response-places.ts";
import type { StepRow } from "./execution.ts";

// With PROVE=full all crash points; otherwise every fourth.
const STRIDE = process.env.PROVE === "full" ? 1 : 4;

let platform: TestPlatform;
let world: PlaybookWorld;

beforeAll(async () => {
  platform = await testPlatform("real");
  world = await createPlaybookWorld(platform);
});

afterAll(() => platform.close());

describe("the ten built-in playbooks", () => {
  it("run end to end with the expected effects", async () => {
    const ended: Record<string, object> = {};
    for (const { id } of world.playbooks) {
      const execution_id = await world.begin(id);
      await driveToEnd(platform, world.parts);
      const { steps, steps_total } = await world.parts.executions.get(execution_id);
      expect(steps).toHaveLength(steps_total);
      expect(steps.filter(({ error }) => error !== null)).toEqual([]);
      const { keys, steps_completed: completed, ...left } = await world.leftBehind(execution_id, world.adapter.calls);
      ended[id] = { ...left, outside: keys.length, completed };
    }
    // Counted by hand from the playbooks: searches find three logs, and no step fails.
    expect(ended).toEqual({
      "brute-force": { status: "completed", cases: 1, comments: 0, tasks: 1, outside: 0, completed: 6 },
      "data-theft": { status: "completed", cases: 1, comments: 2, tasks: 1, outside: 2, completed: 7 },
      "firmware-mismatch": { status: "completed", cases: 1, comments: 0, tasks: 2, outside: 1, completed: 6 },
      "leaked-credential": { status: "completed", cases: 1, comments: 1, tasks: 1, outside: 1, completed: 6 },
      "lost-device": { status: "completed", cases: 1, comments: 0, tasks: 2, outside: 1, completed: 7 },
      "malicious-address": { status: "completed", cases: 1, comments: 1, tasks: 1, outside: 1, completed: 6 },
      phishing: { status: "completed", cases: 1, comments: 1, tasks: 1, outside: 2, completed: 8 },
      "ransomware-host": { status: "completed", cases: 1, comments: 1, tasks: 1, outside: 3, completed: 8 },
      "rogue-device": { status: "completed", cases: 1, comments: 1, tasks: 1, outside: 2, completed: 6 },
      "suspicious-admin": { status: "completed", cases: 1, comments: 1, tasks: 1, outside: 1, completed: 6 },
    });
  });
});

describe("process crashes during playbooks", () => {
  it("repeats no finished step after a crash at any point and keeps the keys of the other steps", async () => {
    const { places, expected } = await world.survey();
    const { calls } = world.adapter;
    const fatal = places.filter((_, index) => index % STRIDE === 0);
    for (const { playbook_id, name } of fatal) {
      const where = `${playbook_id}, ${name}`;
      const execution_id = await world.begin(playbook_id);
      const toPlaceName = createPlaceNames();
      let finished: StepRow[] | undefined;
      await driveToEnd(platform, world.parts, {
        async onCheckpoint(place, step_id) {
          if (toPlaceName(place, step_id) !== name || finished) return;
          finished = await world.finishedSteps(execution_id);
          throw new Crash("killed");
        },
      });
      if (!finished) throw new Error(`crash point not reached: ${where}`);
      expect(await world.leftBehind(execution_id, calls), where).toEqual(expected.get(playbook_id));
      const after = await world.finishedSteps(execution_id);
      expect(after.slice(0, finished.length), where).toEqual(finished);
      for (const { key } of finished) expect(calls.get(key) ?? 1, where).toBe(1);
      for (const { key } of after) expect(calls.get(key) ?? 1, where).toBeLessThanOrEqual(2);
    }
    // Each of the 63 steps has at least one crash point before it and one inside it.
    expect(fatal.length).toBeGreaterThan(126 / STRIDE);
  }, 120_000);
});
