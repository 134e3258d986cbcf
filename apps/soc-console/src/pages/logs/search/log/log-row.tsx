import { usePhrases } from "../../../../app/language/language-context.tsx";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../../app/time/time-context.tsx";
import { Cell } from "../../../../design/list/list-row.tsx";
import { SeveritySign } from "../../../../design/severity.tsx";
import { readColumn } from "../hunt-query.ts";
import type { Log } from "../search-client.ts";
import { searchPhrases } from "../search-phrases.ts";

/** A row shows the beginning of a long text; the pane shows all of it. */
const MAX_SHOWN = 400;

/** `19:36:20.114`: with milliseconds, to distinguish logs of the same second. */
export function LogTime({ at, isWithDay = false }: { at: string; isWithDay?: boolean | undefined }) {
  const time = useTime();
  const [, fraction = ""] = /(\.\d{3})\d*Z$/.exec(at) ?? [];
  return (
    <time dateTime={at} dir={isWithDay ? undefined : "ltr"} title={at}>
      {isWithDay ? time.dateTime(at) : time.time(at)}
      <span className="search-fraction">{fraction}</span>
    </time>
  );
}

export interface LogRowProps {
  log: Log;
  columns: readonly string[];
  isWithDay: boolean;
}

/** The cells of a log: severity, time, and one per column. */
export function LogRow({ log, columns, isWithDay }: LogRowProps) {
  const words = usePhrases(searchPhrases);
  return (
    <>
      <Cell>
        <SeveritySign severity={log.severity} label={words.severities[log.severity]} />
      </Cell>
      <Cell kind="mono">
        <LogTime at={log.timestamp} isWithDay={isWithDay} />
      </Cell>
      {columns.map((column) => (
        <Cell key={column} kind="mono">
          <span className="search-cut" dir="ltr">
            <SafeText isMono>{readColumn(log, column).slice(0, MAX_SHOWN)}</SafeText>
          </span>
        </Cell>
      ))}
    </>
  );
}
