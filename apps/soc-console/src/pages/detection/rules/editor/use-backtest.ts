import { useEffect, useRef, useState } from "react";
import { after } from "../../../../app/browser/clock.ts";
import { type Rule, type RulePreview, type RulesClient, useRulesClient } from "../rules-client.ts";
import { type BacktestState, createBacktester } from "./backtester.ts";
import { comparePreviews, type PreviewDifference } from "./compare-previews.ts";
import { isTestable, type RuleDraft, toBacktest, toChanges, toRequest } from "./rule-draft.ts";

export const SPANS = ["1", "7", "30"] as const;
/** In days. */
export type Span = (typeof SPANS)[number];

const DAY_MS = 86_400_000;

export interface Backtest {
  preview: RulePreview;
  /** Compared with the stored version; undefined for a new rule. */
  difference: PreviewDifference | undefined;
  /** The tested draft. */
  draft: RuleDraft;
}

export type RuleBacktest = BacktestState<Span, Backtest>;

interface BacktestRequest {
  draft: RuleDraft;
  stored: Rule | undefined;
  /** All tests of one draft end at the same instant, so that versions are compared over the same time. */
  to: string;
}

/** The stored version is tested once per span. */
type StoredPreviews = Map<string, Promise<RulePreview>>;

async function readStored(client: RulesClient, known: StoredPreviews, rule: Rule, window: object) {
  const key = JSON.stringify([rule.id, rule.version, window]);
  const asked = known.get(key) ?? client.preview(rule.id, window, new AbortController().signal);
  known.set(key, asked);
  return asked.catch((error: unknown) => {
    known.delete(key);
    throw error;
  });
}

async function runBacktest(
  client: RulesClient,
  known: StoredPreviews,
  { draft, stored, to, span, signal }: BacktestRequest & { span: Span; signal: AbortSignal },
): Promise<Backtest> {
  const window = { from: new Date(Date.parse(to) - Number(span) * DAY_MS).toISOString(), to };
  const changes = stored ? toChanges(draft, stored) : toRequest(draft);
  const request = toBacktest(changes);
  const preview = await client.preview(stored?.id, { ...request, ...window }, signal);
  if (!stored) return { preview, difference: undefined, draft };
  const before = Object.keys(request).length === 0 ? preview : await readStored(client, known, stored, window);
  return { preview, difference: comparePreviews(before, preview), draft };
}

/** Tests the draft while the user types: first the last day, then the selected span. */
export function useBacktest(draft: RuleDraft, stored: Rule | undefined, span: Span, to: string): RuleBacktest {
  const client = useRulesClient();
  const [state, setState] = useState<RuleBacktest>({
    isBusy: false,
    isEarlier: false,
    found: undefined,
    error: undefined,
  });
  const known = useRef<StoredPreviews>(new Map());
  const [tester] = useState(() =>
    createBacktester<BacktestRequest, Span, Backtest>({
      after,
      run: (asked, chosen, signal) => runBacktest(client, known.current, { ...asked, span: chosen, signal }),
      onState: setState,
    }),
  );
  // Only fields that affect matches start a test: a tag does not.
  const key = JSON.stringify([toBacktest(toRequest(draft)), stored?.version, span, to]);
  const latest = useRef({ draft, stored });
  useEffect(() => {
    latest.current = { draft, stored };
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the test.
  useEffect(() => {
    const { draft: typed, stored: rule } = latest.current;
    const isWanted = isTestable(typed, (rule?.sigma ?? null) !== null);
    tester.test(isWanted ? { draft: typed, stored: rule, to } : undefined, span === "1" ? ["1"] : ["1", span]);
  }, [key, tester]);
  useEffect(() => () => tester.stop(), [tester]);
  return state;
}
