import type { Clock } from "@kit/clock";
import { invalidField, Problem } from "@kit/problem";
import { type Alert, type AlertsService, chooseInterval, findBucket, parseSpan } from "../../alerts/module.ts";
import { type Action, leavesPlatform } from "../../foundation/actions/action.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import type { Playbook, Step } from "../playbooks/playbook.ts";
import type { PlaybooksService } from "../playbooks/playbooks.service.ts";
import { requireCondition } from "./automation.ts";
import type { AutomationPreview, PreviewAutomationRequest } from "./automation-previews.schema.ts";

type KnownActions = ReadonlyMap<string, Pick<Action, "kind" | "staysInside" | "isCritical">>;
type AlertKey = Pick<Alert, "id" | "created_at" | "site">;

export interface AutomationPreviewsServiceDeps {
  alerts: Pick<AlertsService, "list">;
  playbooks: Pick<PlaybooksService, "get">;
  actions: KnownActions;
  clock: Pick<Clock, "now" | "monotonicMs">;
}
export type AutomationPreviewsService = ReturnType<typeof createAutomationPreviewsService>;

const DEFAULT_MS = 7 * 24 * 60 * 60_000;
const BUCKETS = 60;
const MAX_SAMPLES = 20;
const PAGE_SIZE = 200;
/** A preview stops after this many matching alerts or this time, and reports that it is partial. */
const MAX_MATCHED = 5000;
const PREVIEW_MS = 1000;

/** Computes what an automation would have started in the past; changes nothing. */
export function createAutomationPreviewsService(deps: AutomationPreviewsServiceDeps) {
  const { alerts, playbooks, actions, clock } = deps;

  /** Returns the matching alerts that were created in the period, newest first. */
  async function findMatching(condition: string, from: Date, to: Date) {
    const untilMs = clock.monotonicMs() + PREVIEW_MS;
    const span = { from: from.toISOString(), to: to.toISOString() };
    const matched: AlertKey[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const isOver = cursor !== "" && (clock.monotonicMs() > untilMs || matched.length >= MAX_MATCHED);
      if (isOver) return { matched, covered_from: matched.at(-1)?.created_at ?? to };
      const page: Awaited<ReturnType<AlertsService["list"]>> = await alerts.list(ALL_SITES, {
        ...{ query: condition, ...span, sort: "-created_at", limit: PAGE_SIZE },
        ...(cursor !== "" && { cursor }),
      });
      const created = page.items.filter(({ created_at }) => created_at >= from && created_at < to);
      matched.push(...created.map(({ id, created_at, site }) => ({ id, created_at, site })));
      // Older alerts that recurred in the period come after all alerts that were created in it.
      cursor = (page.items.at(-1)?.created_at ?? to) < from ? null : page.next_cursor;
    }
    return { matched, covered_from: null };
  }

  function describeStep({ id, name, action, when, compensate }: Step) {
    const known = [action, ...(compensate ? [compensate.action] : [])].map((each) => actions.get(each));
    return {
      ...{ id, name, action, when },
      leaves_platform: known.some((each) => each !== undefined && leavesPlatform(each)),
      is_critical: known.some((each) => each?.isCritical === true),
    };
  }

  function describePlaybook({ id, name, enabled, critical, steps }: Playbook): AutomationPreview["playbook"] {
    const described = steps.map(describeStep);
    const leaves_platform = described.some((step) => step.leaves_platform);
    return { id, name, enabled, needs_approval: critical, leaves_platform, steps: described };
  }

  return {
    async preview(request: PreviewAutomationRequest): Promise<AutomationPreview> {
      const { condition, playbook_id, cooldown_minutes = 0 } = request;
      requireStorable(request);
      requireCondition(condition);
      const given = parseSpan(request);
      const to = given.to ?? clock.now();
      const from = given.from ?? new Date(to.getTime() - DEFAULT_MS);
      if (from >= to) throw invalidField("from", "must be before to");
      const playbook = await playbooks.get(playbook_id).catch((error: unknown) => {
        if (!(error instanceof Problem) || error.kind !== "not_found") throw error;
        throw invalidField("playbook_id", error.message, { cause: error });
      });
      const { matched, covered_from } = await findMatching(condition, from, to);
      const interval_s = chooseInterval({ from, to }, BUCKETS);
      return {
        ...{ from, to, matched: matched.length, started: countStarted(matched, cooldown_minutes) },
        ...{ is_partial: covered_from !== null, covered_from },
        sample_ids: matched.slice(0, MAX_SAMPLES).map(({ id }) => id),
        interval_s,
        buckets: countBuckets(matched, to, interval_s),
        playbook: describePlaybook(playbook),
      };
    },
  };
}

/** Processes the oldest alert first, as the automation would have done. Each site has its own cooldown. */
function countStarted(newestFirst: readonly AlertKey[], cooldown_minutes: number): number {
  let started = 0;
  const readyMs = new Map<string | null, number>();
  for (const { created_at, site } of newestFirst.toReversed()) {
    if (created_at.getTime() < (readyMs.get(site) ?? 0)) continue;
    started += 1;
    readyMs.set(site, created_at.getTime() + cooldown_minutes * 60_000);
  }
  return started;
}

function countBuckets(newestFirst: readonly AlertKey[], to: Date, interval_s: number): AutomationPreview["buckets"] {
  const counts = new Map<number, number>();
  for (const { created_at } of newestFirst.toReversed()) {
    const at = findBucket(created_at, to, interval_s).getTime();
    counts.set(at, (counts.get(at) ?? 0) + 1);
  }
  return [...counts].map(([at, count]) => ({ at: new Date(at), count }));
}
