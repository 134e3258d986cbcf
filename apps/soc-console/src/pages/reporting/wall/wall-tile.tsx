import { fill, isolated, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import type { Reading } from "../../../app/reading/reading.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import type { Tone } from "../../../design/chip.tsx";
import { type NeedName, wallPhrases } from "./wall-phrases.ts";

export interface WallLine {
  key: string;
  text: string;
  /** The time beside the text. */
  note?: string;
}

export interface WallContent {
  count: number;
  /** Not all records were read. */
  isAtLeast?: boolean;
  lines: readonly WallLine[];
}

export interface WallTileProps<Data> {
  name: NeedName;
  /** Undefined for a user who may not read it. */
  reading: Reading<Data> | undefined;
  /** Called only with data that was read. */
  contentOf: (data: Data) => WallContent;
  /** The highlight while the count is not zero. */
  toneOf: (data: Data) => Tone;
}

const MAX_LINES = 3;

/** One tile: count, subject, and the first items. "None" is said only of what was read. */
export function WallTile<Data>({ name, reading, contentOf, toneOf }: WallTileProps<Data>) {
  const words = usePhrases(wallPhrases);
  const numbers = useNumbers();
  const time = useTime();
  if (!reading) return null;
  if (reading.state !== "read") {
    return (
      <section
        className="wall-tile tone-plain"
        aria-label={words.subjects[name]}
        aria-busy={reading.state === "loading"}
      >
        <p className="wall-label">{words.subjects[name]}</p>
        {reading.state === "loading" ? (
          <p className="wall-loading">{words.reading}</p>
        ) : (
          <p className="wall-failed" role="alert">
            {words.notRead}
          </p>
        )}
      </section>
    );
  }
  const { count, isAtLeast = false, lines } = contentOf(reading.data);
  const label = numbers.count(count, words.needs[name]);
  const shown = lines.slice(0, MAX_LINES);
  return (
    <section className={`wall-tile tone-${count > 0 ? toneOf(reading.data) : "plain"}`} aria-label={label}>
      {count === 0 ? (
        <p className="wall-none">{isAtLeast ? words.noneOfSome : words.none[name]}</p>
      ) : (
        <>
          <p className="wall-count">
            <strong className="wall-number">
              {numbers.number(count)}
              {isAtLeast && "+"}
            </strong>
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
      {reading.error !== undefined && (
        <p className="wall-failed" role="alert">
          {words.notRead} · {fill(words.asOf, { time: isolated(time.time(reading.readAt)) })}
        </p>
      )}
    </section>
  );
}
