import { notFound } from "@kit/problem";
import type { AlertChanges, AlertsService } from "../../alerts/module.ts";
import type { CasesService } from "../../cases/module.ts";
import type { ActionRegistry } from "../../foundation/actions/action-registry.ts";
import type { Base, Registrations } from "../../foundation/base.ts";
import type { SiteName } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { Showcase } from "../../foundation/showcase/showcase.ts";
import type { WorkflowEngine } from "../../foundation/workflows/workflow-engine.ts";
import type { SitesService } from "../../identity/module.ts";
import type { StepApprovals } from "../approvals/approval-port.ts";
import type { PlaybooksService } from "../playbooks/playbooks.service.ts";
import { createDemoExecutions } from "./demo-executions.ts";
import { createEffectsService, type ReadSubjects } from "./effects.service.ts";
import { createExecutionWork, DUE_EXECUTIONS } from "./execution-work.store.ts";
import { executionsRoutes } from "./executions.routes.ts";
import { createExecutionsService, type ExecutionsServiceDeps } from "./executions.service.ts";
import { createExecutionsStore, createShowcaseExecutionsStore } from "./executions.store.ts";
import { createExecutionsWorker, createPlaybooksLane } from "./executions.worker.ts";
import { createInterpreterService } from "./interpreter.service.ts";
import { createStepScopes } from "./step-scope.ts";
import { createWaitAction } from "./wait.actions.ts";

/** Creates the records of executions and the generic actions; playbooks build on them. */
export function createExecutionRecords(base: Base) {
  const { runtime, clock } = base;
  const stores = base.sources(createExecutionsStore, (showcase) => createShowcaseExecutionsStore(showcase.executions));
  return {
    services: {
      stores,
      /** Lists the executions of a case for its report. */
      async listResponses(case_id: string) {
        const { items } = await (await runtime.choose(stores)).list({ case_id, limit: 100 });
        return items.map(({ created_at, playbook_name, status, requested_by }) => ({
          at: created_at,
          kind: "playbook",
          what: playbook_name,
          status,
          by: requested_by,
        }));
      },
    },
    registrations: { actions: [createWaitAction(clock)] } satisfies Registrations,
  };
}

export interface ExecutionsNeeds {
  stores: ExecutionsServiceDeps["stores"];
  gate: ExecutionsServiceDeps["gate"] & StepApprovals;
  actions: ActionRegistry;
  playbooks: PlaybooksService;
  alerts: AlertsService;
  alertChanges: AlertChanges;
  cases: CasesService;
  sites: SitesService;
  findSites: (tx: Tx, texts: readonly string[]) => Promise<SiteName[]>;
}

export function createExecutions(base: Base, needs: ExecutionsNeeds) {
  const { db, runtime, changes, audit, clock, ids, log } = base;
  const { stores, gate, actions, playbooks, alerts, alertChanges, cases, sites, findSites } = needs;
  const shown: ReadSubjects = {
    alert: (scope, id) => alerts.get(scope, id),
    case: (scope, id) => cases.look(scope, id, async (_, found) => found),
    caseSites: (id) => cases.listSites(id),
    findSites: (texts) => sites.findNames(texts),
  };
  const executions = createExecutionsService({
    runtime,
    stores,
    gate,
    playbooks,
    actions,
    effects: createEffectsService({ actions, subjects: shown }),
    audit,
    clock,
    ids,
  });

  function createWork() {
    const work = createExecutionWork(db);
    const hasDue = base.dueWork.watch(DUE_EXECUTIONS);
    const scopes = createStepScopes(
      {
        alert: (tx, scope, id) => alertChanges.lockOne(tx, scope, id),
        case: (tx, scope, id) => cases.find(tx, scope, id),
      },
      shown,
    );
    const interpreter = createInterpreterService({ work, actions, scopes, approvals: gate, audit, clock, ids, log });
    const isAllowed = async () => (await runtime.truth()).is_internal_workflows_allowed;
    return {
      lanes: [createPlaybooksLane(interpreter)],
      background: (workflows: WorkflowEngine) => [
        createExecutionsWorker({ work, hasDue, workflows, audit, isAllowed, clock, log }),
      ],
    };
  }

  const demo = createDemoExecutions({
    effectsIn: (tx) =>
      createEffectsService({
        actions,
        subjects: {
          alert: (scope, id) => alertChanges.lockOne(tx, scope, id),
          async case(scope, id) {
            const found = await cases.find(tx, scope, id);
            if (!found) throw notFound("case", id);
            return found;
          },
          caseSites: (id) => cases.listSitesIn(tx, id),
          findSites: (texts) => findSites(tx, texts),
        },
      }),
  });
  return {
    services: { executions, describeDemo: demo.describe },
    registrations: {
      routes: [executionsRoutes(executions, changes)],
      storeDemo: (tx: Tx, showcase: Showcase) => demo.store(tx, showcase.executions),
      readers: { execution: ["playbooks:read"] as const },
      createWork,
    } satisfies Registrations,
  };
}
