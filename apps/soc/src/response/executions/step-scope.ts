import { Problem } from "@kit/problem";
import { ALL_SITES, type Scope as SiteScope } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import { type Scope, toJsonFields } from "../playbooks/step-template.ts";
import type { ExecutionRow, StepRow } from "./execution.ts";

/** Reads an execution's alert and case inside its transaction. */
export interface Subjects {
  /** Throws not_found. */
  alert(tx: Tx, scope: SiteScope, alert_id: string): Promise<object>;
  case(tx: Tx, scope: SiteScope, case_id: string): Promise<object | undefined>;
}

export interface StepScopes {
  /** Returns the values that a step can currently refer to. */
  read(tx: Tx, execution: SubjectIds, rows: readonly StepRow[]): Promise<Scope>;
}

type SubjectIds = Pick<
  ExecutionRow,
  "execution_id" | "playbook_id" | "requested_by" | "alert_id" | "case_id" | "parameters" | "sites"
>;

export function createStepScopes(subjects: Subjects): StepScopes {
  return {
    async read(tx, execution, rows) {
      const { execution_id, playbook_id, requested_by, alert_id, parameters } = execution;
      const scope = execution.sites ?? ALL_SITES;
      // The alert before its case: the order in which every transaction locks them, to avoid deadlocks.
      const alert = alert_id === null ? {} : toJsonFields(await subjects.alert(tx, scope, alert_id).catch(absent));
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

function absent(error: unknown): undefined {
  if (error instanceof Problem && error.kind === "not_found") return undefined;
  throw error;
}

function stepFields({ step_id, status, result, error }: StepRow): [string, Record<string, unknown>] {
  return [step_id, { ...result, status, error }];
}
