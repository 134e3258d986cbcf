import { silentLog } from "@kit/log/silent";
import type { ActionRegistry } from "../../src/foundation/actions/action-registry.ts";
import type { Base } from "../../src/foundation/base.ts";
import type { ApprovalGate, StepApprovals } from "../../src/response/approvals/approval-port.ts";
import { createEffectsService, type EffectsServiceDeps } from "../../src/response/executions/effects.service.ts";
import { createExecutionWork } from "../../src/response/executions/execution-work.store.ts";
import { createExecutionRecords } from "../../src/response/executions/executions.feature.ts";
import { createExecutionsService } from "../../src/response/executions/executions.service.ts";
import { createInterpreterService, type InterpreterDeps } from "../../src/response/executions/interpreter.service.ts";
import { createStepScopes, type Subjects } from "../../src/response/executions/step-scope.ts";
import { createPlaybooks, type PlaybooksNeeds } from "../../src/response/playbooks/playbooks.feature.ts";

export interface PlaybookSettings {
  actions: ActionRegistry;
  alerts: PlaybooksNeeds["alerts"];
  gate: ApprovalGate & StepApprovals;
  /** The alerts and cases for previews (`shown`) and for running steps (`subjects`). */
  shown: EffectsServiceDeps["subjects"];
  subjects: Subjects;
}

/** Playbooks and their executions on a real database, with the given actions. */
export function createPlaybookParts(base: Base, settings: PlaybookSettings) {
  const { db, runtime, audit, clock, ids } = base;
  const { actions, alerts, gate, shown, subjects } = settings;
  const {
    services: { playbooks },
  } = createPlaybooks(base, { actions, alerts, builtIns: async () => [] });
  const executions = createExecutionsService({
    runtime,
    stores: createExecutionRecords(base).services.stores,
    gate,
    playbooks,
    actions,
    effects: createEffectsService({ actions, subjects: shown }),
    audit,
    clock,
    ids,
  });
  const work = createExecutionWork(db);
  const scopes = createStepScopes(subjects, shown);
  const interpreter = (onCheckpoint?: InterpreterDeps["onCheckpoint"]) =>
    createInterpreterService({
      ...{ work, actions, scopes, approvals: gate, audit, clock, ids, log: silentLog },
      ...(onCheckpoint && { onCheckpoint }),
    });
  return { playbooks, executions, work, interpreter };
}
