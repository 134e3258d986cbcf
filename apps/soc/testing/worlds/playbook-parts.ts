import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { silentLog } from "@kit/log/silent";
import type { Kysely } from "kysely";
import { createAuditStore } from "../../src/foundation/audit/audit.store.ts";
import type { Tables } from "../../src/foundation/database/tables.ts";
import type { RuntimeService } from "../../src/foundation/runtime/runtime.service.ts";
import type { ApprovalGate } from "../../src/response/executions/approval-port.ts";
import { createEffectsService, type EffectsServiceDeps } from "../../src/response/executions/effects.service.ts";
import { createExecutionWork } from "../../src/response/executions/execution-work.store.ts";
import { createExecutionsService } from "../../src/response/executions/executions.service.ts";
import { createShowcaseExecutionsStore } from "../../src/response/executions/executions.showcase.ts";
import { createExecutionsStore } from "../../src/response/executions/executions.store.ts";
import { createInterpreterService, type InterpreterDeps } from "../../src/response/executions/interpreter.service.ts";
import { createStepScopes, type Subjects } from "../../src/response/executions/step-scope.ts";
import { createPlaybooksService } from "../../src/response/playbooks/playbooks.service.ts";
import { createShowcasePlaybooksStore } from "../../src/response/playbooks/playbooks.showcase.ts";
import { createPlaybooksStore } from "../../src/response/playbooks/playbooks.store.ts";

export interface ResponseWorld {
  db: Kysely<Tables>;
  runtime: RuntimeService;
  clock: Clock;
  ids: Ids;
}

export interface PlaybookSettings {
  actions: EffectsServiceDeps["actions"];
  gate: ApprovalGate;
  /** The alerts and cases for previews (`shown`) and for running steps (`subjects`). */
  shown: EffectsServiceDeps["subjects"];
  subjects: Subjects;
}

/** Playbooks and their executions on a real database, with the given actions. */
export function createPlaybookParts({ db, runtime, clock, ids }: ResponseWorld, settings: PlaybookSettings) {
  const { actions, gate, shown, subjects } = settings;
  const audit = createAuditStore(ids);
  const playbooks = createPlaybooksService({
    runtime,
    stores: { database: createPlaybooksStore(db), showcase: createShowcasePlaybooksStore([]) },
    actions,
    audit,
    clock,
    ids,
  });
  const executions = createExecutionsService({
    runtime,
    stores: { database: createExecutionsStore(db), showcase: createShowcaseExecutionsStore([]) },
    gate,
    playbooks,
    effects: createEffectsService({ actions, subjects: shown }),
    audit,
    clock,
    ids,
  });
  const work = createExecutionWork(db);
  const scopes = createStepScopes(subjects);
  const interpreter = (onCheckpoint?: InterpreterDeps["onCheckpoint"]) =>
    createInterpreterService({
      ...{ work, actions, scopes, audit, clock, ids, log: silentLog },
      ...(onCheckpoint && { onCheckpoint }),
    });
  return { playbooks, executions, work, interpreter };
}
