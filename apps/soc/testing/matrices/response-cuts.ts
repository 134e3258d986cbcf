import { createClock } from "@kit/clock";
import type { StepRow } from "../../src/response/executions/execution.ts";
import type { TestAdapter } from "../processes/response-worker-process.ts";
import type { LeftBehind, Place, PlaybookWorld } from "./response-places.ts";

/** An execution that is held at a crash point, and the steps that were finished by then. */
export interface Cut {
  place: Place;
  execution_id: string;
  finished: StepRow[];
}

/** The outcome of an interrupted execution. */
export interface Outcome {
  left: LeftBehind;
  /** Finished steps whose rows changed afterwards. */
  repeated: string[];
  /** The number of calls per key, without the execution's id. */
  calls: Record<string, number>;
}

const PATIENCE_MS = 90_000;
const POLL_MS = 50;
const clock = createClock();

/** Polls until the condition holds, with a timeout. */
async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = clock.deadline(PATIENCE_MS);
  while (!(await isSo())) {
    if (deadline.aborted) throw new Error(`not within ${PATIENCE_MS} ms: ${what}`);
    await clock.sleep(POLL_MS);
  }
}

/** Holds executions of real workers at crash points and reads their outcome. */
export function createCuts(world: PlaybookWorld, adapter: TestAdapter) {
  return {
    /** Starts one execution per crash point and waits until all are held. */
    async holdAt(places: readonly Place[]): Promise<Cut[]> {
      const cuts: Cut[] = [];
      for (const place of places) {
        const execution_id = await world.begin(place.playbook_id, (id) => adapter.stops.set(id, place.name));
        cuts.push({ place, execution_id, finished: [] });
      }
      const executions = cuts.map(({ execution_id }) => execution_id);
      await until("executions are held", async () => {
        await world.wake(executions);
        return adapter.held.size === cuts.length;
      });
      for (const cut of cuts) cut.finished = await world.finishedSteps(cut.execution_id);
      return cuts;
    },

    async untilEnded(executions: readonly string[]): Promise<void> {
      await until("executions end", async () => {
        await world.wake(executions);
        return (await world.endedCount(executions)) === executions.length;
      });
    },

    /** Returns the milliseconds until other workers had taken over all of them. */
    async untilTakenOver(before: ReadonlyMap<string, string | null>): Promise<number> {
      const from = clock.monotonicMs();
      const executions = [...before.keys()];
      await until("executions are taken over", async () => {
        const owners = await world.readOwners(executions);
        return executions.every((id) => owners.get(id) !== before.get(id));
      });
      return clock.monotonicMs() - from;
    },

    async readOutcome({ execution_id, finished }: Pick<Cut, "execution_id" | "finished">): Promise<Outcome> {
      const after = new Map((await world.finishedSteps(execution_id)).map((row) => [row.key, JSON.stringify(row)]));
      const repeated = finished.filter((row) => after.get(row.key) !== JSON.stringify(row)).map(({ key }) => key);
      const calls = [...adapter.calls]
        .filter(([key]) => key.startsWith(execution_id))
        .map(([key, times]) => [key.slice(execution_id.length), times] as const);
      return {
        left: await world.leftBehind(execution_id, adapter.calls),
        repeated,
        calls: Object.fromEntries(calls),
      };
    },
  };
}

/** One call per key; for the interrupted step, the given number of calls. */
export function countExpectedCalls({ keys }: Pick<LeftBehind, "keys">, cutOff?: { place: Place; times: number }) {
  const times = (key: string) => (cutOff && key === `:${cutOff.place.step_id}:1` ? cutOff.times : 1);
  return Object.fromEntries(keys.map((key) => [key, times(key)]));
}
