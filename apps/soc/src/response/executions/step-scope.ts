import { ALL_SITES, type Scope as SiteScope } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import { type Scope, toJsonFields } from "../playbooks/step-template.ts";
import { ignoreUnknown, type ReadSubjects } from "./effects.service.ts";
import type { ExecutionRow, StepRow } from "./execution.ts";
import { readExecutionScope } from "./execution-scope.ts";

/** Reads an execution's alert and case inside its transaction. */
export interface Subjects {
  /** Throws not_found. */
  alert(tx: Tx, scope: SiteScope, alert_id: string): Promise<object>;
  case(tx: Tx, scope: SiteScope, case_id: string): Promise<object | undefined>;
}

export interface StepScopes {
  /** Returns the sites of an execution that an earlier release stored without them; null for all sites. */
  findSites(execution: Pick<SubjectIds, "requested_by" | "alert_id" | "case_id">): Promise<string[] | null>;
  /** Returns the values that a step can currently refer to. */
  read(tx: Tx, execution: SubjectIds, rows: readonly StepRow[]): Promise<Scope>;
}

type SubjectIds = Pick<
  ExecutionRow,
  "execution_id" | "playbook_id" | "requested_by" | "alert_id" | "case_id" | "parameters" | "sites"
>;

export function createStepScopes(subjects: Subjects, reads: ReadSubjects): StepScopes {
  return {
    async findSites({ requested_by: actor, alert_id, case_id }) {
      const alert = alert_id === null ? undefined : await reads.alert(ALL_SITES, alert_id).catch(ignoreUnknown);
      const scope = await readExecutionScope({ actor, caller: ALL_SITES, alert, case_id }, reads);
      return scope === ALL_SITES ? null : [...scope];
    },

    async read(tx, execution, rows) {
      const { execution_id, playbook_id, requested_by, alert_id, parameters } = execution;
      const scope = execution.sites ?? ALL_SITES;
      // The alert before its case: the order in which every transaction locks them, to avoid deadlocks.
      const alert =
        alert_id === null ? {} : toJsonFields(await subjects.alert(tx, scope, alert_id).catch(ignoreUnknown));
      const case_id = execution.case_id ?? (typeof alert.case_id === "string" ? alert.case_id : null);
      const found = case_id === null ? {} : toJsonFields(await subjects.case(tx, scope, case_id));
      return {
        alert,
        case: found,
        parameters,
        steps: Object.fromEntries(rows.filter(({ part }) => part === "step").map(stepFields)),
        execution: { id: execution_id, playbook_id, actor: requested_by },
      };
    },
  };
}

function stepFields({ step_id, status, result, error }: StepRow): [string, Record<string, unknown>] {
  return [step_id, { ...result, status, error }];
}
