import { useQuery } from "@tanstack/react-query";
import { fill, useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { useTime } from "../../../../app/time/time-context.tsx";
import { Histogram } from "../../../../design/charts/histogram.tsx";
import { type RulePreview, ruleKeys, useRulesClient } from "../rules-client.ts";
import { editorPhrases } from "./editor-phrases.ts";
import type { RuleDraft } from "./rule-draft.ts";

const LOW = 28;
const HIGH = 56;

interface Line {
  label: string;
  query: string;
}

/** Matches, threshold counts and sequence steps on a common time axis. */
export function Timelines({ preview, draft }: { preview: RulePreview; draft: RuleDraft }) {
  const words = usePhrases(editorPhrases);
  const lines = listLines(draft, words);
  return (
    <div className="rule-editor-lines">
      {lines.map((line) => (
        <LogLine key={line.label} line={line} from={preview.window_from} to={preview.window_to} />
      ))}
      {lines.length > 0 && <p className="rule-editor-line-name">{nameMatches(draft, words)}</p>}
      <MatchLine preview={preview} height={lines.length > 0 ? LOW : HIGH} />
    </div>
  );
}

function listLines({ type, query, details }: RuleDraft, words: { logsOfQuery: string; step: string }): Line[] {
  if (type === "threshold") return [{ label: words.logsOfQuery, query: query.trim() }];
  if (type !== "sequence") return [];
  return details.steps
    .map((step, at) => ({ label: fill(words.step, { n: at + 1 }), query: join(query, step) }))
    .filter((_, at) => details.steps[at]?.trim() !== "");
}

function join(query: string, step: string): string {
  return query.trim() === "" ? step.trim() : `(${query.trim()}) AND (${step.trim()})`;
}

function nameMatches(
  { type, details }: RuleDraft,
  words: Record<"bursts" | "complete" | "minutes" | "seconds", string>,
) {
  if (type !== "threshold") return words.complete;
  const within = `${details.within} ${words[details.withinUnit]}`;
  return fill(words.bursts, { count: details.count, within });
}

function MatchLine({ preview, height }: { preview: RulePreview; height: number }) {
  const words = usePhrases(editorPhrases);
  const { count } = useNumbers();
  const { dateTime } = useTime();
  const { window_from: from, window_to: to } = preview;
  return (
    <Histogram
      label={words.backtest}
      buckets={preview.histogram.map(({ at, count: value }) => ({
        at,
        parts: [{ key: "matches", value, fill: "var(--accent)" }],
      }))}
      {...{ from, to, height }}
      describe={({ at, parts }) => `${dateTime(at)} · ${count(parts[0]?.value ?? 0, words.matches)}`}
      ticks={[dateTime(from), dateTime(to)]}
    />
  );
}

function LogLine({ line, from, to }: { line: Line; from: string; to: string }) {
  const words = usePhrases(editorPhrases);
  const { number } = useNumbers();
  const { dateTime } = useTime();
  const client = useRulesClient();
  const { data } = useQuery({
    queryKey: ruleKeys.part("new", "timeline", line.query, from, to),
    queryFn: ({ signal }) => client.timeline(line.query, { from, to }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const buckets = (data?.buckets ?? []).map(({ at, total }) => ({
    at,
    parts: [{ key: "logs", value: total, fill: "var(--fill-info)" }],
  }));
  return (
    <>
      <p className="rule-editor-line-name">
        {line.label} <bdi dir="ltr">{line.query}</bdi>
      </p>
      <Histogram
        label={line.label}
        {...{ buckets, from, to, height: LOW }}
        describe={({ at, parts }) => fill(words.perMoment, { time: dateTime(at), count: number(parts[0]?.value ?? 0) })}
      />
    </>
  );
}
