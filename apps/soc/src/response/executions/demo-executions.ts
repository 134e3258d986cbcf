import { notFound } from "@kit/problem";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { Playbook } from "../playbooks/playbook.ts";
import { fillInputs } from "../playbooks/playbook-inputs.ts";
import { createPlaybooksWriter } from "../playbooks/playbooks.store.ts";
import type { EffectsService, Intent } from "./effects.service.ts";
import { type ExecutionDetail, keyOf } from "./execution.ts";
import { toEffects } from "./execution-plans.ts";
import { createExecutionsWriter } from "./executions.store.ts";
import { NO_ID_YET } from "./step-approval.ts";

export interface DemoExecutionsDeps {
  /** Reads the alert and the case of an execution in the transaction that stores them. */
  effectsIn: (tx: Tx) => EffectsService;
}

/** A start that a person of the demo requested. */
export type DemoStart = Omit<Intent, "execution_id"> & { playbook_id: string };

/** Stores the executions of the showcase as records, and describes those that wait for an approval. */
export function createDemoExecutions({ effectsIn }: DemoExecutionsDeps) {
  async function hold(tx: Tx, id: string): Promise<Playbook> {
    const playbook = await createPlaybooksWriter(tx).hold(id);
    if (!playbook) throw notFound("playbook", id);
    return playbook;
  }

  /** Describes what the service would request an approval for, from records that are not committed yet. */
  async function describe(tx: Tx, { playbook_id, ...asked }: DemoStart) {
    const playbook = await hold(tx, playbook_id);
    const effects = effectsIn(tx);
    const intent = { ...asked, execution_id: NO_ID_YET };
    const { values, scope } = await effects.readSubjects(playbook_id, intent, ALL_SITES);
    const parameters = fillInputs(playbook.inputs, asked.parameters, values);
    const known = { values: { ...values, parameters }, scope };
    const shown = await effects.describe(playbook, { ...intent, parameters }, known);
    return { playbook, parameters, effect: toEffects(shown) };
  }

  return {
    describe,

    async store(tx: Tx, executions: readonly ExecutionDetail[]): Promise<void> {
      for (const { id: _, steps: taken, requires_approval: __, ...execution } of executions) {
        const { execution_id, requested_by } = execution;
        const { version, steps } = await hold(tx, execution.playbook_id);
        await createExecutionsWriter(tx).insertEnded(
          {
            ...execution,
            ...ENDED,
            playbook_version: version,
            steps,
            requesters: [requested_by],
            starters: [requested_by],
          },
          taken.map(({ name: ___, ...step }, position) => ({
            ...step,
            execution_id,
            iteration: 1,
            position,
            begun: 1,
            key: keyOf(execution_id, step.step_id, step.part),
          })),
        );
      }
    },
  };
}

const ENDED = {
  approved_effects: null,
  sites: null,
  due_at: null,
  continuation: 1,
  handed_out_at: null,
  owner: null,
  failures: 0,
  cancelled_by: null,
  abandoned: false,
} as const;
