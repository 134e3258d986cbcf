import type { Clock } from "@kit/clock";
import { invalidField, Problem } from "@kit/problem";
import Value from "typebox/value";
import type { ChangeAction } from "../../foundation/actions/action.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import { buildIoc } from "./ioc.ts";
import { CreateIocRequest } from "./iocs.schema.ts";
import type { IocsService } from "./iocs.service.ts";

export interface IocActionsDeps {
  iocs: Pick<IocsService, "create">;
  clock: Pick<Clock, "now">;
}

/** The playbook actions for indicators. */
export function createIocActions({ iocs, clock }: IocActionsDeps): ChangeAction[] {
  return [
    {
      kind: "change",
      name: "iocs.add",
      params: CreateIocRequest,

      async describe(params) {
        return { summary: buildSummary(params, clock.now()), sends: [] };
      },

      async apply(tx, params, { actor, playbook_id }) {
        const caller: Caller = { kind: "user", username: actor, role: "agent" };
        const request = { source: playbook_id, ...checkRequest(params) };
        const { ioc, isNew } = await iocs.create(tx, caller, request);
        return { ioc_id: ioc.id, type: ioc.type, value: ioc.value, is_new: isNew };
      },
    },
  ];
}

/** Reports a refusal as part of the summary: a playbook may continue without the indicator. */
function buildSummary(params: unknown, now: Date): string {
  try {
    const { type, value } = buildIoc(checkRequest(params), "playbook", now);
    return `Adds the ${type} ${value} to the known indicators`;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return `Adds no indicator: ${error.message}`;
  }
}

function checkRequest(params: unknown): CreateIocRequest {
  if (!Value.Check(CreateIocRequest, params)) {
    throw invalidField("params", "must be the fields of an indicator, including its value");
  }
  return params;
}
