import { ChevronLeft, ChevronRight } from "lucide-react";
import { useMemo } from "react";
import { fill, usePhrases } from "../../../../app/language/language-context.tsx";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../../app/time/time-context.tsx";
import { IconButton } from "../../../../design/button.tsx";
import { Panel } from "../../../../design/panel.tsx";
import type { AlertFull, Log } from "../alerts-client.ts";
import { alertPhrases } from "./alert-phrases.ts";
import { listTerms, markTerms } from "./alert-terms.ts";

/** A raw log with the matched terms highlighted. */
export function LogText({ log, terms }: { log: Log; terms: readonly string[] }) {
  const time = useTime();
  const text = log.message || log.raw;
  const head = [log.host, log.user, log.process].filter((value) => value && !text.includes(value)).join(" ");
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long log scrolls, so keys must reach it.
    <article className="alerts-log" aria-label={time.dateTime(log.timestamp)} tabIndex={0}>
      <pre className="alerts-pre" dir="ltr">
        <span className="alerts-log-head">
          {time.time(log.timestamp)} <SafeText isMono>{head}</SafeText>{" "}
        </span>
        {markTerms(text, terms).map(({ text: part, isMarked }, at) =>
          isMarked ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no identity and no state.
            <mark key={at} className="alerts-mark">
              <SafeText isMono>{part}</SafeText>
            </mark>
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no identity and no state.
            <SafeText key={at} isMono>
              {part}
            </SafeText>
          ),
        )}
      </pre>
    </article>
  );
}

/** The search terms of the rule, and the group values of its thresholds. */
export function useRuleTerms({ rule, alert }: Pick<AlertFull, "rule" | "alert">): string[] {
  return useMemo(() => {
    const steps = rule?.threshold?.steps ?? [];
    return [rule?.query ?? "", ...steps].flatMap(listTerms).concat(alert.iocs.slice(0, 20));
  }, [rule, alert.iocs]);
}

type NoteWords = Readonly<Record<"noLogs" | "logsLate" | "logsGone", string>>;

function chooseNote({ logs_total, partial }: AlertFull, words: NoteWords): string {
  if (logs_total === 0) return words.noLogs;
  return partial.includes("logs") ? words.logsLate : words.logsGone;
}

export interface EvidenceProps {
  full: AlertFull;
  at: number;
  onMove: (by: number) => void;
}

/** The logs that raised the alert, one at a time. */
export function AlertEvidence({ full, at, onMove }: EvidenceProps) {
  const words = usePhrases(alertPhrases);
  const terms = useRuleTerms(full);
  const logs = full.logs ?? [];
  const log = logs[Math.min(at, logs.length - 1)];
  const count = logs.length;
  const aside = log && count > 1 && (
    <span className="alerts-steps">
      <IconButton size="s" label={words.previousLog} keys={["←"]} icon={<ChevronLeft />} onClick={() => onMove(-1)} />
      {fill(words.logOf, { at: Math.min(at, count - 1) + 1, count: full.logs_total })}
      <IconButton size="s" label={words.nextLog} keys={["→"]} icon={<ChevronRight />} onClick={() => onMove(1)} />
    </span>
  );
  return (
    <Panel title={words.why} aside={aside}>
      {log ? (
        <LogText log={log} terms={terms} />
      ) : (
        <p className="alerts-note">{fill(chooseNote(full, words), { count: full.logs_total })}</p>
      )}
    </Panel>
  );
}
