import type { Ids } from "@kit/clock/ids";
import { invalidField, Problem } from "@kit/problem";
import type { Effect } from "../../foundation/actions/action.ts";
import { ALL_SITES, type Caller, type Scope, toScope } from "../../foundation/caller/caller.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { Approval, MissingInput } from "../approvals/approval.ts";
import type { ApprovalGate, ApprovedInputs, DecidedInputs, SetInputs } from "../approvals/approval-port.ts";
import type { Playbook, PlaybookInput } from "../playbooks/playbook.ts";
import { fillInputs, listMissing, listStated, requireInputs, requireTypes } from "../playbooks/playbook-inputs.ts";
import type { PlaybooksService } from "../playbooks/playbooks.service.ts";
import type { EffectsService, Intent, Subjects } from "./effects.service.ts";
import type { StepEffect } from "./execution.ts";
import type { ExecuteRequest } from "./executions.schema.ts";
import { NO_ID_YET } from "./step-approval.ts";

export interface ExecutionPlansDeps {
  runtime: Pick<RuntimeService, "truth">;
  gate: Pick<ApprovalGate, "look">;
  playbooks: Pick<PlaybooksService, "get">;
  effects: EffectsService;
  ids: Pick<Ids, "next">;
}

export interface ExecuteCall {
  playbookId: string;
  approvalId?: string | undefined;
  body: ExecuteRequest;
}

/** The inputs of a new execution; approved parameters replace those of the call. */
export interface ExecutionRequest extends Intent {
  approval_id: string | null;
  approved_effects: StepEffect[] | null;
  /** Everyone who counts as a requester: the caller, and the authors of the playbook. */
  requesters: string[];
  /** Those of them who started it, without the author of the playbook. */
  starters: string[];
  /** The original requester, if another caller uses the approval. */
  requested_by?: string;
  simulated: boolean;
  /** The sites in which it reads and acts. */
  scope: Scope;
}

/** How a call uses its approval. */
export interface PlannedUse {
  /** The current effect that the approval shows; undefined if the call cannot start anything. */
  shown: Effect[] | undefined;
  /** The missing inputs that the call sets. */
  inputs: SetInputs | undefined;
}

/** A prepared call, built before the transaction so that no lock is held while effects are described. */
export interface ExecutePlan {
  call: ExecuteCall;
  /** The sites that the caller works for. */
  scope: Scope;
  version: number;
  beginning: ExecutionRequest;
  /** The effects of the playbook; empty if neither an approval nor a preview needs them. */
  effects: StepEffect[];
  /** The required inputs without a value. Only a critical playbook can be requested without them. */
  missing: MissingInput[];
  use: PlannedUse;
}

interface Subject extends Pick<Intent, "actor" | "alert_id" | "case_id"> {
  playbook: Playbook;
  /** The sites that the caller works for. */
  caller: Scope;
}

/** The inputs of an approval after the missing ones were set. */
interface CompletedInputs {
  parameters: Record<string, unknown>;
  missing: PlaybookInput[];
  effects: StepEffect[];
  shown: Effect[];
  inputs: SetInputs | undefined;
  scope: Scope;
}

const MAX_PARAMETERS = 65_536;
const NO_USE: PlannedUse = { shown: undefined, inputs: undefined };

/** Prepares executions and the decisions that set their inputs. */
export function createExecutionPlans({ runtime, gate, playbooks, effects, ids }: ExecutionPlansDeps) {
  /** Sets missing inputs of an approval, and describes the effect without and with them. */
  async function complete(
    { playbook, caller, ...subject }: Subject,
    approved: Pick<ApprovedInputs, "parameters" | "missing_inputs">,
    choose: (open: PlaybookInput[], values: Subjects["values"]) => Record<string, unknown>,
  ): Promise<CompletedInputs> {
    const open = playbook.inputs.filter(({ name }) => approved.missing_inputs.some((each) => each.name === name));
    const { parameters: before } = approved;
    const intent = { ...subject, parameters: before, execution_id: NO_ID_YET };
    const { values, scope } = await effects.readSubjects(playbook.id, intent, caller);
    const shown = await effects.describe(playbook, intent, { values, scope }, approved.missing_inputs);
    const inputs = choose(open, values);
    requireTypes(open, inputs);
    if (Object.keys(inputs).length === 0) {
      return { parameters: before, missing: open, effects: shown, shown: toEffects(shown), inputs: undefined, scope };
    }
    const parameters = { ...before, ...inputs };
    requireParameters(parameters);
    const missing = listMissing(open, parameters);
    const known = { values: { ...values, parameters }, scope };
    const now = await effects.describe(playbook, { ...intent, parameters }, known, missing);
    const set = { inputs, parameters, effect: toEffects(now), missing_inputs: toMissingInputs(missing) };
    return { parameters, missing, effects: now, shown: toEffects(shown), inputs: set, scope };
  }

  async function planUse(subject: Subject, approved: ApprovedInputs, parameters: Record<string, unknown>) {
    const names = new Set(approved.missing_inputs.map(({ name }) => name));
    const stated = Object.fromEntries(Object.entries(parameters).filter(([name]) => names.has(name)));
    const completed = await complete(subject, approved, (open, values) => fillInputs(open, stated, values));
    if (approved.status === "approved") requireInputs(completed.missing, completed.parameters);
    const isComplete = completed.missing.length === 0;
    return { ...completed, use: isComplete ? { shown: completed.shown, inputs: completed.inputs } : NO_USE };
  }

  async function planRequest(subject: Subject, given: Record<string, unknown>, isDescribed: boolean) {
    const { playbook, caller, ...about } = subject;
    const intent = { ...about, execution_id: NO_ID_YET };
    const { values, scope } = await effects.readSubjects(playbook.id, { ...intent, parameters: given }, caller);
    const parameters = fillInputs(playbook.inputs, given, values);
    if (playbook.critical) requireTypes(playbook.inputs, parameters);
    else requireInputs(playbook.inputs, parameters);
    const missing = listMissing(playbook.inputs, parameters);
    const described = isDescribed
      ? await effects.describe(
          playbook,
          { ...intent, parameters },
          { values: { ...values, parameters }, scope },
          missing,
        )
      : [];
    return { parameters, missing, effects: described, use: NO_USE, scope };
  }

  async function planCall(subject: Subject, { approvalId, body }: ExecuteCall, simulated: boolean) {
    const { playbook, caller } = subject;
    const { dry_run = false, parameters = {} } = body;
    const isDescribed = playbook.critical || dry_run || simulated;
    if (!playbook.critical || approvalId === undefined) return planRequest(subject, parameters, isDescribed);
    const use = { approval_id: approvalId, kind: "playbook", playbook_id: playbook.id, scope: caller } as const;
    const approved = await gate.look(use);
    // A repeated call with a used approval is answered with its execution, whatever it leaves out.
    if (!approved) return { parameters, missing: [], effects: [], use: NO_USE, scope: caller };
    const { alert_id, case_id } = { ...approved, ...body };
    // Described for the person who asked, as the approval shows it.
    return planUse({ playbook, caller, actor: approved.requested_by, alert_id, case_id }, approved, parameters);
  }

  return {
    async plan(
      caller: Pick<Caller, "username" | "sites">,
      given: ExecuteCall,
      others: readonly string[] = [],
    ): Promise<ExecutePlan> {
      const { username: actor } = caller;
      const scope = toScope(caller);
      const { alert_id = null, case_id = null, parameters } = given.body;
      requireParameters(parameters ?? {});
      const call = { ...given, body: { ...given.body, ...(parameters && { parameters: listStated(parameters) }) } };
      const playbook = await playbooks.get(call.playbookId);
      requireEnabled(playbook);
      const simulated = (await runtime.truth()).mode === "dry_run";
      const planned = await planCall({ playbook, caller: scope, actor, alert_id, case_id }, call, simulated);
      return {
        call,
        scope,
        version: playbook.version,
        beginning: {
          ...{ execution_id: ids.next(), actor, alert_id, case_id, parameters: planned.parameters, simulated },
          scope: planned.scope,
          approval_id: null,
          approved_effects: null,
          requesters: [...new Set([actor, playbook.updated_by, ...others])],
          starters: [...new Set([actor, ...others])],
        },
        effects: planned.effects,
        missing: toMissingInputs(planned.missing),
        use: planned.use,
      };
    },

    /**
     * Validates the missing inputs that a decision sets. Throws for other inputs and for an effect that has changed
     * since.
     */
    async planDecision(approval: Approval, parameters: Record<string, unknown>): Promise<DecidedInputs> {
      const { playbook_id, playbook_version, requested_by: actor, alert_id, case_id, missing_inputs } = approval;
      requireParameters(parameters);
      for (const name of Object.keys(parameters)) {
        if (missing_inputs.some((input) => input.name === name)) continue;
        throw invalidField(`parameters.${name}`, "is not a missing input of this approval");
      }
      requireTypes(missing_inputs, parameters);
      const playbook = await playbooks.get(playbook_id ?? "");
      if (playbook.version !== playbook_version) {
        throw new Problem("conflict", `approval '${approval.id}' is for version ${playbook_version} of the playbook`);
      }
      const chosen = listStated(parameters);
      const subject = { playbook, caller: ALL_SITES, actor, alert_id, case_id };
      const { inputs, shown } = await complete(subject, approval, () => chosen);
      if (!inputs) throw invalidField("parameters", "must have a value for an input");
      return { ...inputs, shown };
    },
  };
}

export function requireEnabled({ id, enabled }: Playbook): void {
  if (!enabled) throw new Problem("conflict", `playbook '${id}' is disabled`);
}

/** Converts effects to the form that reviewers see; their hash is compared when the approval is used. */
export function toEffects(effectsShown: readonly StepEffect[]): Effect[] {
  return effectsShown.map(({ step_id: _, ...effect }) => effect);
}

function toMissingInputs(missing: readonly PlaybookInput[]): MissingInput[] {
  return missing.map(({ name, type, description }) => ({ name, type, description }));
}

function requireParameters(parameters: Record<string, unknown>): void {
  requireStorable({ parameters });
  if (Buffer.byteLength(JSON.stringify(parameters)) > MAX_PARAMETERS) {
    throw invalidField("parameters", `must be at most ${MAX_PARAMETERS} bytes`);
  }
}
