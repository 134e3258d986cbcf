import { fill, isolated, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import type { Tone } from "../../../design/chip.tsx";
import type { Reading } from "./use-wall.ts";
import { type NeedName, wallPhrases } from "./wall-phrases.ts";

export interface WallLine {
  key: string;
  text: string;
  /** The time beside the text. */
  note?: string;
}

export interface WallTileProps {
  name: NeedName;
  reading: Reading<unknown>;
  count: number;
  lines: readonly WallLine[];
  /** Highlighted while the count is not zero. */
  tone: Tone;
}

const MAX_LINES = 3;

/** One tile: count, subject, and the first items. Absent for a user who may not read it. */
export function WallTile({ name, reading, count, lines, tone }: WallTileProps) {
  const words = usePhrases(wallPhrases);
  const numbers = useNumbers();
  const time = useTime();
  if (!reading) return null;
  const { data, error, dataUpdatedAt } = reading;
  const isKnown = data !== undefined;
  const label = numbers.count(count, words.needs[name]);
  const shown = lines.slice(0, MAX_LINES);
  return (
    <section className={`wall-tile tone-${isKnown && count > 0 ? tone : "plain"}`} aria-label={label}>
      {isKnown && count === 0 && <p className="wall-none">{words.none[name]}</p>}
      {isKnown && count > 0 && (
        <>
          <p className="wall-count">
            <strong className="wall-number">{numbers.number(count)}</strong>
            <span className="wall-label">{label}</span>
          </p>
          <ul className="wall-lines">
            {shown.map(({ key, text, note }) => (
              <li key={key}>
                <span className="wall-text" dir="auto">
                  <SafeText>{text}</SafeText>
                </span>
                {note !== undefined && <span className="wall-note">{note}</span>}
              </li>
            ))}
            {count > shown.length && <li className="wall-more">{numbers.count(count - shown.length, words.more)}</li>}
          </ul>
        </>
      )}
      {error && (
        <p className="wall-failed" role="alert">
          {words.notRead}
          {isKnown && ` · ${fill(words.asOf, { time: isolated(time.time(dataUpdatedAt)) })}`}
        </p>
      )}
    </section>
  );
}
