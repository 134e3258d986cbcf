import { Copy, ShieldPlus, Waypoints } from "lucide-react";
import { fill, usePhrases } from "../../../../app/language/language-context.tsx";
import { useNotices } from "../../../../app/notices/notices.tsx";
import { copyText } from "../../../../app/text/copy.ts";
import { safeText } from "../../../../app/text/safe-text.ts";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { IconButton } from "../../../../design/button.tsx";
import { EntityLink } from "../../../reporting/entities/entity-link.tsx";
import { ColumnButton, NarrowButtons } from "../hunt-facets.tsx";
import { listValues } from "../hunt-query.ts";
import type { Log } from "../search-client.ts";
import { searchPhrases } from "../search-phrases.ts";
import { LogTime } from "./log-row.tsx";
import { findEntityKind } from "./value-kind.ts";

export interface ChosenValue {
  field: string;
  value: string;
}

export interface LogValuesProps {
  log: Log;
  columns?: readonly string[] | undefined;
  onNarrow: (term: string, isExcluded: boolean) => void;
  onColumn?: ((field: string) => void) | undefined;
  /** Absent if the user may add neither indicators nor observables. */
  onAdd?: ((value: ChosenValue) => void) | undefined;
}

const TIMES = new Set(["timestamp", "ingested_at"]);
const WITHOUT_TERM = new Set(["timestamp", "ingested_at"]);

/** Every field with its value and the actions on it. */
export function LogValues({ log, columns = [], onNarrow, onColumn, onAdd }: LogValuesProps) {
  const words = usePhrases(searchPhrases);
  return (
    <table className="search-values" aria-label={words.fields}>
      <tbody>
        {listValues(log).map(({ field, values }) => (
          <tr key={field}>
            <th scope="row">
              <SafeText isMono>{field.replace(/^attributes\./, "")}</SafeText>
              {onColumn && <ColumnButton field={field} isShown={columns.includes(field)} onColumn={onColumn} />}
            </th>
            <td>
              {values.map((value, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a list may have the same value twice.
                <Value key={at} field={field} value={value} onNarrow={onNarrow} onAdd={onAdd} />
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Value({ field, value, onNarrow, onAdd }: ChosenValue & Pick<LogValuesProps, "onNarrow" | "onAdd">) {
  const words = usePhrases(searchPhrases);
  const { notify } = useNotices();
  const kind = findEntityKind(field, value);
  const shown = safeText(value.slice(0, 80));
  const copy = () =>
    void copyText(value).then(
      () => notify({ text: words.copied, tone: "ok", forMs: 2000 }),
      () => notify({ text: words.notCopied, tone: "failed" }),
    );
  return (
    <div className="search-value">
      <span className="search-value-text">
        {TIMES.has(field) ? <LogTime at={value} isWithDay /> : <SafeText isMono>{value}</SafeText>}
      </span>
      <span className="search-value-buttons">
        {!WITHOUT_TERM.has(field) && <NarrowButtons field={field} value={value} onNarrow={onNarrow} />}
        <IconButton size="s" icon={<Copy />} label={fill(words.copy, { value: shown })} onClick={copy} />
        {kind && (
          <EntityLink
            kind={kind}
            value={value}
            className="button button-ghost button-square button-small"
            title={fill(words.openEntity, { value: shown })}
          >
            <Waypoints className="button-icon" size={14} aria-hidden="true" />
            <span className="screen-reader-only">{fill(words.openEntity, { value: shown })}</span>
          </EntityLink>
        )}
        {onAdd && !TIMES.has(field) && value.length <= 2048 && (
          <IconButton
            size="s"
            icon={<ShieldPlus />}
            label={fill(words.addValue, { value: shown })}
            onClick={() => onAdd({ field, value })}
          />
        )}
      </span>
    </div>
  );
}
