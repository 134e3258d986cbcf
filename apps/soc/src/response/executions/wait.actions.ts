import type { Clock } from "@kit/clock";
import Type from "typebox";
import Value from "typebox/value";
import type { Action } from "../../foundation/actions/action.ts";

const Params = Type.Object(
  { seconds: Type.Integer({ minimum: 1, maximum: 30 * 24 * 3600 }) },
  { additionalProperties: false },
);

/** Parks the execution until the time has passed; no process waits for it. */
export function createWaitAction(clock: Pick<Clock, "now">): Action {
  return {
    name: "wait",
    kind: "wait",
    params: Params,
    describe: async (params) => ({ summary: `Waits ${Value.Parse(Params, params).seconds} seconds`, sends: [] }),
    park: async (_tx, params) => ({
      until: new Date(clock.now().getTime() + Value.Parse(Params, params).seconds * 1000),
    }),
  };
}
