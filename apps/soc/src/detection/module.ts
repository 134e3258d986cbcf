import type { Ids } from "@kit/clock/ids";
import type { AlertsService } from "../alerts/module.ts";
import type { Base, Count, Registrations } from "../foundation/base.ts";
import { ALL_SITES, type Caller } from "../foundation/caller/caller.ts";
import type { Tx } from "../foundation/database/tables.ts";
import type { HoldChange } from "../foundation/held-changes.ts";
import { createFinder } from "../foundation/search/finder.ts";
import { dataSources } from "../foundation/showcase/data-sources.ts";
import type { Showcase } from "../foundation/showcase/showcase.ts";
import type { LogStore } from "../ports/log-store.ts";
import { createShowcaseDetections, type DetectionReads } from "./detections.showcase.ts";
import { exceptionsRoutes } from "./exceptions/exceptions.routes.ts";
import { createExceptionsService } from "./exceptions/exceptions.service.ts";
import { createExceptionsStore, createExceptionsWriter } from "./exceptions/exceptions.store.ts";
import { createLogReader } from "./execution/log-reader.ts";
import { feedbackRoutes } from "./feedback/feedback.routes.ts";
import { createFeedbackService } from "./feedback/feedback.service.ts";
import { createFeedbackStore, createFeedbackWriter } from "./feedback/feedback.store.ts";
import { createVerdictCountsStore } from "./feedback/verdict-counts.store.ts";
import { createSigmaImportService } from "./imports/sigma-import.service.ts";
import { createMatchesStore, createMatchesWriter } from "./matches/matches.store.ts";
import { createMatchesListService } from "./matches/matches-list.service.ts";
import { createPromotedMatches } from "./matches/promoted-matches.ts";
import { bulkRoutes } from "./rules/bulk.routes.ts";
import { createBulkService } from "./rules/bulk.service.ts";
import { buildVersion } from "./rules/rule.ts";
import { createRulesService } from "./rules/rules.service.ts";
import { createRulesStore, createRulesWriter, createWorkingRules } from "./rules/rules.store.ts";
import { versionsRoutes } from "./rules/versions.routes.ts";
import { createVersionsService } from "./rules/versions.service.ts";
import { rulesRoutes } from "./rules.routes.ts";
import { healthRoutes } from "./runs/health.routes.ts";
import { createHealthService } from "./runs/health.service.ts";
import { createHealthStore } from "./runs/health.store.ts";
import { createMatchesService, type KnownIocs } from "./runs/matches.service.ts";
import { createMetricsService } from "./runs/metrics.service.ts";
import { createMetricsStore } from "./runs/metrics.store.ts";
import { runsRoutes } from "./runs/runs.routes.ts";
import { createRunsService } from "./runs/runs.service.ts";
import { createRunsStore, createRunsWriter } from "./runs/runs.store.ts";
import { createWorkerRules } from "./runs/worker-rules.ts";
import { createGapsWriter } from "./scheduling/gaps.store.ts";
import { HISTORY_RETENTION_MS } from "./scheduling/history.ts";
import { suppressionsRoutes } from "./suppressions/suppressions.routes.ts";
import { createSuppressionsService } from "./suppressions/suppressions.service.ts";
import { createSuppressionsStore, createSuppressionsWriter } from "./suppressions/suppressions.store.ts";

export { createAttack } from "./attack/attack.feature.ts";
export { createBacktests } from "./backtests/backtests.feature.ts";
export type { FeedbackService } from "./feedback/feedback.service.ts";
export { createVerdicts } from "./feedback/verdicts.feature.ts";
export { type Indicator, parseIndicator } from "./iocs/indicator.ts";
export { createIocs } from "./iocs/iocs.feature.ts";
export type { IocsService } from "./iocs/iocs.service.ts";
export type { MatchesListService } from "./matches/matches-list.service.ts";
export { createRulesClient, type Send } from "./rule-files/rules-client.ts";
export { createRulesCommand, type RulesOptions } from "./rule-files/rules-command.ts";
export { createYamlFolder } from "./rule-files/yaml-folder.ts";
export { type AskingRule, buildRuleCondition } from "./rules/rule.ts";
export type { RulesService } from "./rules/rules.service.ts";
export type { KnownIocs } from "./runs/matches.service.ts";
export { createScheduling } from "./scheduling.feature.ts";

export interface DetectionsNeeds {
  logStore: Pick<LogStore, "lane">;
  alerts: Pick<AlertsService, "create" | "promote" | "lockRepeated">;
  iocs: KnownIocs;
  holdChange: HoldChange;
}
export type Detections = ReturnType<typeof createDetections>["services"]["detections"];

const READERS = ["detections:read"] as const;
const DAY_MS = 24 * 60 * 60_000;
const RUNS_RETENTION_MS = 30 * DAY_MS;
/** Longer than any run looks back, so that no match is raised twice. */
const MATCHES_RETENTION_MS = 90 * DAY_MS;

/** The statistics count all rules, regardless of the reader. */
const ALL_RULES: Caller = { kind: "user", username: "stats", role: "admin" };

const COUNT: Count<{ rules: number; runs_24h: number; matches_24h: number }> = {
  async stored(tx, now) {
    const { total_rules: rules, runs_24h, matches_24h } = await createMetricsStore(tx).read(ALL_RULES, now);
    return { rules, runs_24h, matches_24h };
  },
  shown({ detections: { rules, runs, matches } }, now) {
    const isRecent = (at: Date) => now.getTime() - at.getTime() < DAY_MS;
    return {
      rules: rules.length,
      runs_24h: runs.filter(({ started_at }) => isRecent(started_at)).length,
      matches_24h: matches.filter(({ matched_at }) => isRecent(matched_at)).length,
    };
  },
};

/** Rules, their runs, matches, suppressions and feedback. */
export function createDetections(base: Base, { logStore, alerts, iocs, holdChange }: DetectionsNeeds) {
  const { db, runtime, changes, audit, yaml, clock, ids } = base;
  const database: DetectionReads = {
    rules: createRulesStore(db),
    runs: createRunsStore(db),
    matches: createMatchesStore(db),
    suppressions: createSuppressionsStore(db),
    exceptions: createExceptionsStore(db),
    verdicts: createVerdictCountsStore(db),
    feedback: createFeedbackStore(db),
    metrics: createMetricsStore(db),
    health: createHealthStore(db),
    logs: (scope) => createLogReader(logStore.lane("previews"), scope),
  };
  const reads = base.sources(
    () => database,
    ({ detections, logs }) => createShowcaseDetections(detections, logs),
  );
  const sourcesOf = <Name extends keyof DetectionReads>(name: Name) =>
    dataSources<DetectionReads[Name]>(database[name], () => reads.showcase[name]);

  const common = { runtime, audit, clock, ids };
  const readers = sourcesOf("logs");
  const verdicts = sourcesOf("verdicts");
  const rules = createRulesService({ ...common, stores: sourcesOf("rules") });
  const exceptions = createExceptionsService({
    ...common,
    stores: sourcesOf("exceptions"),
    readers,
    rules,
    holdChange,
  });
  const suppressions = createSuppressionsService({
    ...common,
    stores: sourcesOf("suppressions"),
    readers,
    verdicts,
    rules,
    exceptions,
  });
  const matches = createMatchesService({ alerts, iocs, clock, ids });
  const runs = createRunsService({
    ...common,
    stores: sourcesOf("runs"),
    readers,
    verdicts,
    rules,
    suppressions,
    exceptions,
    matches,
    yaml,
  });
  const detections = {
    rules,
    imports: createSigmaImportService({ rules, yaml, clock, ids }),
    runs,
    suppressions,
    exceptions,
    feedback: createFeedbackService({ ...common, stores: sourcesOf("feedback"), rules }),
    metrics: createMetricsService({ runtime, stores: sourcesOf("metrics"), clock }),
    health: createHealthService({ runtime, stores: sourcesOf("health"), rules, clock }),
    matches: createMatchesListService({ runtime, stores: sourcesOf("matches"), rules }),
    promotedMatches: createPromotedMatches({ runtime, stores: sourcesOf("rules"), clock, ids }),
    /** For the workers that evaluate rules without a request. */
    workerRules: createWorkerRules({
      db,
      rules: createWorkingRules(db),
      runs,
      matches,
      logs: createLogReader(logStore.lane("rules"), ALL_SITES),
      clock,
      ids,
    }),
  };
  const before = (retentionMs: number) => new Date(clock.now().getTime() - retentionMs);
  return {
    services: {
      detections,
      topRules: async (caller: Caller) => (await detections.metrics.read(caller)).top_rules_by_matches,
      count: COUNT,
    },
    registrations: {
      routes: [
        rulesRoutes({ ...detections, changes }),
        bulkRoutes(createBulkService({ rules, clock }), changes),
        versionsRoutes(createVersionsService({ ...common, stores: sourcesOf("rules"), rules }), changes),
        runsRoutes(runs, changes),
        healthRoutes(detections.health),
        suppressionsRoutes(suppressions, changes),
        exceptionsRoutes(exceptions, changes),
        feedbackRoutes(detections.feedback, changes),
      ],
      storeDemo: (tx: Tx, showcase: Showcase) => storeDemo(tx, showcase.detections, ids),
      readers: { rule: READERS, run: READERS, suppression: READERS, exception: READERS, feedback: READERS },
      finders: [
        createFinder("rule", READERS, async (caller, q, limit) => {
          const { items } = await detections.rules.list(caller, { q, limit });
          return items.map(({ id, name: title, type, updated_at: at }) => ({ id, title, subtitle: type, at }));
        }),
      ],
      sweeps: [
        { name: "detection runs", run: () => createRunsWriter(db).sweep(before(RUNS_RETENTION_MS)) },
        { name: "detection matches", run: () => createMatchesWriter(db).sweep(before(MATCHES_RETENTION_MS)) },
        { name: "detection gaps", run: () => createGapsWriter(db).sweep(before(HISTORY_RETENTION_MS)) },
        { name: "detection counts", run: () => createMatchesWriter(db).sweepCounts(before(MATCHES_RETENTION_MS)) },
      ],
    } satisfies Registrations,
  };
}

async function storeDemo(tx: Tx, detections: Showcase["detections"], ids: Pick<Ids, "next">): Promise<void> {
  const { rules, runs, matches, suppressions, exceptions, feedback } = detections;
  const writer = createMatchesWriter(tx);
  await createRulesWriter(tx).store(
    rules,
    rules.map(({ last_run_at: _, next_run_at: __, ...rule }) => buildVersion(rule, ids.next(), rule.created_by)),
  );
  for (const suppression of suppressions) await createSuppressionsWriter(tx).insert(suppression);
  for (const { hidden: _, last_hidden_at: __, ...exception } of exceptions) {
    await createExceptionsWriter(tx).insert(exception);
  }
  await createRunsWriter(tx).insert(runs);
  const raised = new Set<string>();
  for (const { author: _, license: __, ...match } of matches) {
    const { rule_id, matched_at: at, suppression_id, alert_id } = match;
    const alerts = alert_id === null || raised.has(alert_id) ? 0 : 1;
    if (alert_id !== null) raised.add(alert_id);
    await writer.insert([match]);
    await writer.addCounts([{ rule_id, at, runs: 0, matches: 1, suppressed: suppression_id === null ? 0 : 1, alerts }]);
  }
  await createFeedbackWriter(tx).insert(feedback);
}
