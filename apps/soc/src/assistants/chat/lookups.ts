import { Problem } from "@kit/problem";
import type { Static, TObject } from "typebox";
import type { AlertsService } from "../../alerts/module.ts";
import type { CasesService } from "../../cases/module.ts";
import { type Caller, formatRefusal, isCallerAllowed, toScope } from "../../foundation/caller/caller.ts";
import type { Permission } from "../../foundation/caller/permissions.ts";
import type { EndpointsService } from "../../response/module.ts";
import { raceAbort } from "../tools/race-abort.ts";
import {
  EntityTimelineOutput,
  GetAlertOutput,
  GetCaseOutput,
  LookupIocOutput,
  SearchLogsOutput,
} from "../tools/read-tools.schema.ts";
import type { ErrorCode } from "../tools/tools.schema.ts";
import type { Envelope, ToolsService } from "../tools/tools.service.ts";
import type { AnswerEvent } from "./chat-event.ts";

export interface LookupsDeps {
  tools: Pick<ToolsService, "call">;
  alerts: Pick<AlertsService, "list">;
  cases: Pick<CasesService, "list">;
  endpoints: Pick<EndpointsService, "list">;
}

/** The result of a lookup, or the reason why it was not possible. */
export type LookupResult<Result> = { result: Result } | { code: ErrorCode; refusal: string };

/** A running lookup. It rejects only when the answer is no longer needed. */
export interface Lookup<Result> {
  name: string;
  found: Promise<LookupResult<Result>>;
}

export type Lookups = ReturnType<typeof createLookups>;

/** The reads of an answer, each with the caller's permissions. */
export function createLookups({ tools, alerts, cases, endpoints }: LookupsDeps, caller: Caller, signal: AbortSignal) {
  function call<Output extends TObject>(name: string, _: Output, input: object): Lookup<Static<Output>> {
    const found = tools.call(caller, name, input, { signal }).then((envelope) => {
      signal.throwIfAborted();
      return toFound<Static<Output>>(envelope);
    });
    return start(name, found);
  }

  function read<Result>(name: string, permission: Permission, work: () => Promise<Result>): Lookup<Result> {
    return start(name, tryRead(permission, work));
  }

  async function tryRead<Result>(permission: Permission, work: () => Promise<Result>): Promise<LookupResult<Result>> {
    const needs = [permission];
    if (!isCallerAllowed(caller, needs)) return { code: "forbidden", refusal: formatRefusal(caller, needs) };
    try {
      return { result: await raceAbort(work(), signal) };
    } catch (error) {
      if (signal.aborted || !(error instanceof Problem)) throw error;
      return { code: "unavailable", refusal: error.message };
    }
  }

  return {
    getAlert: (alert_id: string) => call("get_alert", GetAlertOutput, { alert_id }),
    getCase: (case_id: string) => call("get_case", GetCaseOutput, { case_id }),
    lookupIoc: (value: string) => call("lookup_ioc", LookupIocOutput, { value }),
    searchLogs: (input: object) => call("search_logs", SearchLogsOutput, input),
    timeline: (input: object) => call("entity_timeline", EntityTimelineOutput, input),
    listAlerts: (query: Parameters<AlertsService["list"]>[1]) =>
      read("list_alerts", "alerts:read", () => alerts.list(toScope(caller), query)),
    listCases: (query: Parameters<CasesService["list"]>[1]) =>
      read("list_cases", "cases:read", () => cases.list(toScope(caller), query)),
    listEndpoints: (query: Parameters<EndpointsService["list"]>[1]) =>
      read("list_endpoints", "edr:read", () => endpoints.list(toScope(caller), query)),
  };
}

function start<Result>(name: string, found: Promise<LookupResult<Result>>): Lookup<Result> {
  // Lookups of one answer run together: when one of them ends the answer, the others reject unobserved.
  found.catch(() => undefined);
  return { name, found };
}

/** Reports a running lookup and returns its result. */
export async function* follow<Result>({
  name,
  found,
}: Lookup<Result>): AsyncGenerator<AnswerEvent, LookupResult<Result>> {
  yield { event: "tool", data: { name, status: "running" } };
  const answer = await found;
  yield { event: "tool", data: { name, status: "result" in answer ? "completed" : "error" } };
  return answer;
}

function toFound<Result>(envelope: Envelope): LookupResult<Result> {
  if (isAnswer<Result>(envelope)) return { result: envelope };
  const { error_code: code, error } = envelope;
  return { code: code ?? "internal", refusal: error ?? "internal error" };
}

/** The types of the registry guarantee that a successful tool returns its output schema. */
function isAnswer<Result>(envelope: Envelope): envelope is Envelope & Result {
  return envelope.error_code === null;
}
