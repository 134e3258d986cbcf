import { Link } from "../../../app/address/link.tsx";
import { now } from "../../../app/browser/clock.ts";
import { fill, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { quoteValue } from "../../../app/query-editor/query-place.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import type { TimeRange } from "../../../app/time/range.ts";
import { useTime } from "../../../app/time/time-context.tsx";
import { Facts } from "../../../design/panel.tsx";
import { Notice } from "../../../design/states.tsx";
import { SourceChart } from "./source-chart.tsx";
import { SourceSettingsPanel } from "./source-settings.tsx";
import { readSourceState } from "./source-state.ts";
import type { Source } from "./sources-client.ts";
import { sourcesPhrases } from "./sources-phrases.ts";

export interface SourcePaneProps {
  source: Source;
  range: TimeRange;
  onChanged: (changed: Pick<Source, "source" | "watch" | "timezone">) => void;
}

/** One source: whether it sends, what to do if not, and its volume over time. */
export function SourcePane({ source, range, onChanged }: SourcePaneProps) {
  const words = usePhrases(sourcesPhrases);
  const time = useTime();
  const state = readSourceState(source);
  const isBad = state === "silent" || state === "refused";
  const since = time.dateTime(source.silent_since ?? now());
  return (
    <article className="sources-pane">
      <h2 className="sources-name">
        <SafeText isMono>{source.source}</SafeText>
      </h2>
      <Notice tone={isBad ? "failed" : state === "sends" ? "ok" : "waiting"}>
        {fill(words.advice[state], { time: since })}
      </Notice>
      <SourceChart source={source.source} range={range} />
      <Counts source={source} range={range} />
      <SourceSettingsPanel source={source} onChanged={onChanged} />
    </article>
  );
}

function Counts({ source, range }: { source: Source; range: TimeRange }) {
  const words = usePhrases(sourcesPhrases);
  const numbers = useNumbers();
  const time = useTime();
  const { fields } = words;
  const show = (at: string | null) => (at === null ? words.never : time.dateTime(at));
  const hunt = { q: `source:${quoteValue(source.source)}`, from: range.from, to: range.to };
  return (
    <Facts
      items={[
        { label: fields.received, value: numbers.number(source.received) },
        {
          label: fields.stored,
          value: (
            <>
              {numbers.number(source.stored)} ·{" "}
              <Link to="/hunt" search={hunt}>
                {words.search}
              </Link>
            </>
          ),
        },
        {
          label: fields.rejected,
          value: (
            <>
              {numbers.number(source.rejected)}
              {source.rejected > 0 && (
                <>
                  {" "}
                  · <Link to="/settings/dead-letters">{words.deadLetters}</Link>
                </>
              )}
            </>
          ),
        },
        { label: fields.late, value: numbers.number(source.late) },
        { label: fields.firstSeen, value: show(source.first_seen) },
        { label: fields.lastSeen, value: show(source.last_seen) },
      ]}
    />
  );
}
