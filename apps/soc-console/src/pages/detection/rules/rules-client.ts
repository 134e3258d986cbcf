import type { FeedbackBody } from "@soc/service/contract/detection/feedback/feedback";
import type { MatchBody } from "@soc/service/contract/detection/matches/matches";
import type { BulkRulesBody, BulkRulesRequest } from "@soc/service/contract/detection/rules/bulk";
import type {
  CreateRuleRequest,
  ImportedRulesBody,
  RuleBody,
  RuleVersionBody,
  UpdateRuleRequest,
} from "@soc/service/contract/detection/rules/rules";
import type { RuleDiffBody } from "@soc/service/contract/detection/rules/versions";
import type { RuleHealthBody } from "@soc/service/contract/detection/runs/health";
import type { PreviewRuleRequest, RulePreviewBody, RunBody } from "@soc/service/contract/detection/runs/runs";
import type { Histogram } from "@soc/service/contract/logs/log-summaries/log-summaries";
import { useMemo } from "react";
import type { Static } from "typebox";
import { useApp } from "../../../app/context/app-context.ts";
import type { ChangeResult, ListResponse, QueryValue, Server, Wire } from "../../../app/server/server.ts";

export function useRulesClient(): RulesClient {
  const { server } = useApp();
  return useMemo(() => createRulesClient(server), [server]);
}

export type Rule = Wire<RuleBody>;
export type RuleType = Rule["type"];
export type RuleSeverity = Rule["alert_severity"];
export type RuleHealth = Wire<Static<typeof RuleHealthBody>>;
export type RuleVersion = Wire<Static<typeof RuleVersionBody>>;
export type RuleDiff = Wire<Static<typeof RuleDiffBody>>;
export type RulePreview = Wire<RulePreviewBody>;
export type RuleRun = Wire<Static<typeof RunBody>>;
export type RuleMatch = Wire<Static<typeof MatchBody>>;
export type RuleFeedback = Wire<Static<typeof FeedbackBody>>;
export type Verdict = RuleFeedback["verdict"];
export type ImportResult = Wire<Static<typeof ImportedRulesBody>>;
type BulkChanged = Wire<Static<typeof BulkRulesBody>>;

/** A rule with its results. Health is undefined while it could not be loaded. */
export interface RuleRow extends Rule {
  health: RuleHealth | undefined;
}

export const RULE_TYPES: readonly RuleType[] = ["query", "threshold", "new_terms", "sequence"];
export const SEVERITIES: readonly RuleSeverity[] = ["critical", "high", "medium", "low", "info"];

export const ruleKeys = {
  one: (id: string) => ["rules", "one", id] as const,
  part: (id: string, part: string, ...rest: readonly string[]) => ["rules", "one", id, part, ...rest] as const,
  health: ["rules", "health"] as const,
};

type Query = Readonly<Record<string, QueryValue>>;

/** The service stops a search after 20 seconds; a backtest runs several searches. */
const BACKTEST_TIMEOUT_MS = 60_000;
const TIMELINE_BUCKETS = 48;

/** The version of a rule for If-Match. */
export function toEtag({ updated_at }: Pick<Rule, "updated_at">): string {
  return `"${updated_at}"`;
}

export function createRulesClient(server: Server) {
  const below = (id: string, rest = "") => `/detections/rules/${encodeURIComponent(id)}${rest}`;
  const list =
    <Item>(rest: string) =>
    (id: string, query: Query, signal?: AbortSignal) =>
      server.get<ListResponse<Item>>(below(id, rest), { query, signal });

  return {
    list: (query: Query, signal?: AbortSignal) =>
      server.get<ListResponse<Rule>>("/detections/rules", { query, signal }),
    /** One statistic per rule of the list with the same query. */
    listHealth: (query: Query, signal?: AbortSignal) =>
      server.get<ListResponse<RuleHealth>>("/detections/health", { query, signal }),
    read: (id: string, signal?: AbortSignal) => server.get<Rule>(below(id), { signal }),
    readHealth: (id: string, query: Query, signal?: AbortSignal) =>
      server.get<RuleHealth>(below(id, "/health"), { query, signal }),
    create: (request: CreateRuleRequest) => server.post<ChangeResult<Rule>>("/detections/rules", request),
    update: (id: string, request: UpdateRuleRequest, ifMatch?: string) =>
      server.patch<ChangeResult<Rule>>(below(id), request, { ifMatch }),
    remove: (id: string) => server.remove<ChangeResult<{ deleted: boolean }>>(below(id)),
    bulk: (request: BulkRulesRequest) => server.post<ChangeResult<BulkChanged>>("/detections/rules/bulk", request),

    runs: list<RuleRun>("/runs"),
    matches: list<RuleMatch>("/matches"),
    versions: list<RuleVersion>("/versions"),
    feedback: list<RuleFeedback>("/feedback"),
    giveFeedback: (id: string, request: { verdict: Verdict; notes: string }) =>
      server.post<ChangeResult<RuleFeedback>>(below(id, "/feedback"), request),
    diff: (id: string, from: number, to: number, signal?: AbortSignal) =>
      server.get<RuleDiff>(below(id, `/versions/${from}/diff/${to}`), { signal }),
    restore: (id: string, version: number) =>
      server.post<ChangeResult<Rule>>(below(id, `/versions/${version}/restore`)),

    /** The alerts that a rule would have raised. Aborting `signal` also stops the engine. */
    preview: (id: string | undefined, request: PreviewRuleRequest, signal: AbortSignal) =>
      server.post<RulePreview>(id === undefined ? "/detections/rules/preview" : below(id, "/preview"), request, {
        signal,
        priority: "visible",
        timeoutMs: BACKTEST_TIMEOUT_MS,
      }),
    /** The logs that match a query, over time. */
    timeline: (query: string, span: { from: string; to: string }, signal: AbortSignal) =>
      server.get<Wire<Histogram>>("/siem/logs/histogram", {
        query: { query: query === "" ? undefined : query, ...span, buckets: TIMELINE_BUCKETS },
        signal,
      }),
    import: (yaml: string, enabled: boolean) =>
      server.post<ChangeResult<ImportResult>>("/detections/rules/import", { yaml, enabled }),
  };
}

export type RulesClient = ReturnType<typeof createRulesClient>;
