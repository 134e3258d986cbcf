import type { Ids } from "@kit/clock/ids";
import { notFound, Problem } from "@kit/problem";
import Value from "typebox/value";
import type { Effect } from "../../foundation/actions/action.ts";
import { ALL_SITES, type Caller, type Scope, toScope } from "../../foundation/caller/caller.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import { isUuid } from "../../foundation/lists/page.ts";
import type { ChangesService } from "../../foundation/runtime/changes.service.ts";
import type { Outcome } from "../../foundation/runtime/effects.ts";
import type { ApprovalGate, ApprovalUse, ApprovedInputs } from "../approvals/approval-port.ts";
import { type EdrActionName, EdrActionRequest, type EdrPendingAnswer } from "./edr.schema.ts";
import { CRITICAL_ACTIONS, type EdrActionRow, type EdrCommand, toEdrActionAnswer } from "./edr-action.ts";
import type { EdrActionsService } from "./edr-actions.service.ts";

export interface EdrCommandsDeps {
  changes: ChangesService;
  edr: Pick<EdrActionsService, "begin" | "deliver" | "describe" | "findIn" | "getSite">;
  gate: Pick<ApprovalGate, "look" | "request" | "use">;
  /** The value of SOC_FOUR_EYES: a critical action needs the approval of another person. */
  fourEyes: boolean;
  ids: Pick<Ids, "next">;
}
export type EdrCommandsService = ReturnType<typeof createEdrCommandsService>;

/** A user's request for an action on an endpoint. */
export interface EdrCall {
  endpoint_id: string;
  action: EdrActionName;
  body: EdrActionRequest;
  approval_id?: string | undefined;
}

export type EdrAnswer = ReturnType<typeof toEdrActionAnswer> | EdrPendingAnswer;

/** A prepared call, built before the transaction so that no lock is held while the effect is described. */
interface Plan {
  scope: Scope;
  call: EdrCall;
  command: EdrCommand;
  effect: Effect | undefined;
  /** The approved content; undefined if the call repeats an approval that is no longer open. */
  parameters: Record<string, unknown> | undefined;
}

type CommandResult = { row: EdrActionRow } | { approval_id: string };

const NO_PLAYBOOK = { kind: "action", playbook_id: null, playbook_version: null } as const;
const TITLES: Readonly<Record<EdrActionName, string>> = {
  isolate: "Isolate an endpoint",
  unisolate: "End the isolation of an endpoint",
  scan: "Scan an endpoint",
};

/**
 * Runs actions that users request through the endpoint route. Under four eyes, critical ones pass the approval gate.
 */
export function createEdrCommandsService({ changes, edr, gate, fourEyes, ids }: EdrCommandsDeps) {
  async function findApproved(caller: Caller, { approval_id }: EdrCall): Promise<ApprovedInputs | undefined> {
    if (approval_id === undefined) return undefined;
    return gate.look({ ...NO_PLAYBOOK, approval_id, scope: toScope(caller) });
  }

  async function plan(caller: Caller, call: EdrCall): Promise<Plan> {
    const { endpoint_id, action, approval_id } = call;
    const scope = toScope(caller);
    // `describe` also finds an endpoint by its hostname, which the route does not accept.
    if (!isUuid(endpoint_id)) throw notFound("endpoint", endpoint_id);
    const approved = await findApproved(caller, call);
    const hasBody = Object.keys(call.body).length > 0;
    const body = approved && !hasBody ? parseApproved(approved) : call.body;
    const command = buildEdrCommand(caller, action, body, ids.next());
    if (approval_id !== undefined && !approved) {
      const parameters = hasBody ? { endpoint_id, action, ...body } : undefined;
      return { scope, call, command, effect: undefined, parameters };
    }
    const effect = await edr.describe(scope, endpoint_id, command);
    return { scope, call, command, effect, parameters: { endpoint_id, action, ...body } };
  }

  async function ask(tx: Tx, { scope, call, command, effect, parameters = {} }: Plan): Promise<CommandResult> {
    const { reason, case_id, requested_by } = command;
    const { id: approval_id } = await gate.request(tx, {
      ...NO_PLAYBOOK,
      action: TITLES[call.action],
      justification: reason ?? "",
      alert_id: null,
      case_id,
      site: await edr.getSite(scope, tx, call.endpoint_id),
      parameters,
      effect: effect ? [effect] : [],
      requested_by,
      requesters: [requested_by],
    });
    return { approval_id };
  }

  async function consume(tx: Tx, planned: Plan, approval_id: string): Promise<CommandResult> {
    const { scope, call, command, effect, parameters } = planned;
    if (scope !== ALL_SITES) await edr.getSite(scope, tx, call.endpoint_id);
    const action_id = ids.next();
    const use: ApprovalUse = {
      ...NO_PLAYBOOK,
      approval_id,
      parameters,
      alert_id: undefined,
      case_id: call.body.case_id,
      effect: effect && [effect],
      caller: command.requested_by,
      scope,
      execution_id: action_id,
    };
    const used = await gate.use(tx, use);
    switch (used.outcome) {
      case "pending":
        return { approval_id: used.approval.id };
      case "before":
        return { row: await findBefore(tx, call, used.execution_id) };
      case "used":
        return edr.begin(scope, tx, { ...command, key: `approval:${approval_id}` }, call.endpoint_id, action_id);
      default:
        return used satisfies never;
    }
  }

  async function findBefore(tx: Tx, { endpoint_id, action, approval_id }: EdrCall, id: string): Promise<EdrActionRow> {
    const row = await edr.findIn(tx, id);
    if (!row) throw notFound("action", id);
    if (row.endpoint_id !== endpoint_id.toLowerCase() || row.action !== action) {
      throw new Problem("conflict", `approval_id: '${approval_id}' was granted for another action`);
    }
    return row;
  }

  async function runApproved(tx: Tx, planned: Plan): Promise<CommandResult> {
    const { approval_id } = planned.call;
    return approval_id === undefined ? ask(tx, planned) : consume(tx, planned, approval_id);
  }

  return {
    /** Runs the action or requests its approval. In dry_run, describes the effect and the request. */
    async run(caller: Caller, call: EdrCall): Promise<Outcome<EdrAnswer | (EdrAnswer & { effect: Effect })>> {
      const { endpoint_id, action } = call;
      const scope = toScope(caller);
      const isGuarded = fourEyes && CRITICAL_ACTIONS.has(action);
      const planned = isGuarded
        ? await plan(caller, call)
        : { scope, command: buildEdrCommand(caller, action, call.body, ids.next()), call, effect: undefined };
      const { command } = planned;
      const { dry_run, result } = await changes.runAs(
        caller,
        "change",
        (tx): Promise<CommandResult> =>
          isGuarded
            ? runApproved(tx, { parameters: undefined, ...planned })
            : edr.begin(scope, tx, command, endpoint_id),
      );
      if (dry_run) {
        const effect = planned.effect ?? (await edr.describe(scope, endpoint_id, command));
        return { dry_run, result: { ...toAnswer(call, result), effect } };
      }
      const done = "row" in result ? { row: await edr.deliver(result.row) } : result;
      return { dry_run, result: toAnswer(call, done) };
    },
  };
}

function buildEdrCommand(caller: Caller, action: EdrActionName, body: EdrActionRequest, id: string): EdrCommand {
  const { reason, case_id, release_after_minutes } = body;
  return {
    action,
    key: `request:${id}`,
    requested_by: caller.username,
    reason: reason ?? null,
    case_id: case_id ?? null,
    release_after_minutes,
  };
}

/** Returns the body of the approved request. */
function parseApproved({ parameters }: ApprovedInputs): EdrActionRequest {
  const { endpoint_id: _, action: __, ...body } = parameters;
  return Value.Parse(EdrActionRequest, body);
}

function toAnswer({ endpoint_id, action }: EdrCall, done: CommandResult): EdrAnswer {
  if ("row" in done) return toEdrActionAnswer(done.row);
  return {
    action_id: null,
    endpoint_id,
    action,
    status: "pending_approval",
    adapter: null,
    release_at: null,
    approval_id: done.approval_id,
    requires_approval: true,
    message: "Four eyes are required: after another person has approved, repeat the call with approval_id.",
  };
}
