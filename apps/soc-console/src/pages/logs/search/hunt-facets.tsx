import { useQuery } from "@tanstack/react-query";
import { Columns3, Minus, Plus } from "lucide-react";
import { useState } from "react";
import { useApp } from "../../../app/context/app-context.ts";
import { fill, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { ApiError } from "../../../app/server/api-error.ts";
import { safeText } from "../../../app/text/safe-text.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { Button, IconButton } from "../../../design/button.tsx";
import { TextField } from "../../../design/field.tsx";
import { Skeleton, Stale } from "../../../design/states.tsx";
import { formatTerm } from "./hunt-query.ts";
import { MissingStores } from "./missing-stores.tsx";
import { PartFailed } from "./part-failed.tsx";
import { type LogFacets, type LogSearch, readFields, searchKeys } from "./search-client.ts";
import { searchPhrases } from "./search-phrases.ts";
import type { useHuntFacets } from "./use-hunt-run.ts";

export const DEFAULT_FACETS = [
  "severity",
  "source",
  "host",
  "user",
  "process",
  "action",
  "outcome",
  "event_code",
  "src_ip",
  "dst_ip",
];

/** No facets for these fields: nearly every log has a different value. */
const WITHOUT_FACET = new Set(["id", "timestamp", "ingested_at", "message", "raw"]);

export interface HuntFacetsProps {
  search: LogSearch;
  facets: ReturnType<typeof useHuntFacets>;
  columns: readonly string[];
  onNarrow: (term: string, isExcluded: boolean) => void;
  onColumn: (field: string) => void;
  /** Shows the values of one more field. */
  onField: (field: string) => void;
}

/** Fields with their most frequent values, and all fields of the matching logs. */
export function HuntFacets(props: HuntFacetsProps) {
  const words = usePhrases(searchPhrases);
  const { facets } = props;
  const [part, setPart] = useState("");
  const [isAll, setIsAll] = useState(false);
  const shown = (facets.data?.facets ?? []).filter(
    ({ field, values }) => values.length > 0 && field.includes(part.trim().toLowerCase()),
  );
  return (
    <section className="search-facets" aria-label={words.fields}>
      <TextField
        id="search-fields"
        label={words.findField}
        isLabelHidden
        type="search"
        placeholder={words.findField}
        value={part}
        onChange={(event) => setPart(event.target.value)}
      />
      {facets.error instanceof ApiError && !facets.data && (
        <PartFailed title={words.facetsFailed} error={facets.error} onRetry={() => void facets.refetch()} />
      )}
      {!facets.data && facets.isFetching && <Skeleton rows={8} />}
      {facets.data?.is_partial &&
        (facets.data.missing_stores && facets.data.covered_from === null ? (
          <MissingStores names={facets.data.missing_stores} />
        ) : (
          <p className="search-partial">{words.facetsPartial}</p>
        ))}
      <Stale isStale={facets.isPlaceholderData}>
        <div>
          {shown.map((facet) => (
            <Facet key={facet.field} facet={facet} {...props} />
          ))}
        </div>
      </Stale>
      {isAll || part !== "" ? (
        <AllFields part={part} {...props} />
      ) : (
        <Button kind="ghost" size="s" onClick={() => setIsAll(true)}>
          {words.allFields}
        </Button>
      )}
    </section>
  );
}

type FacetBody = LogFacets["facets"][number];

function Facet({ facet, columns, onNarrow, onColumn }: HuntFacetsProps & { facet: FacetBody }) {
  const words = usePhrases(searchPhrases);
  const { number } = useNumbers();
  const { field, values, missing, distinct, other, is_estimate } = facet;
  const most = Math.max(1, ...values.map(({ count }) => count));
  const about = is_estimate ? "≈ " : "";
  return (
    <details className="search-facet" open>
      <summary>
        <SafeText isMono>{field}</SafeText>
        <span className="search-count">
          {about}
          {number(distinct)}
        </span>
      </summary>
      <ul>
        {values.map(({ value, count }) => (
          <li key={value} className="search-facet-value" style={{ "--share": `${(count / most) * 100}%` }}>
            <span className="search-cut search-facet-text" dir="ltr" title={safeText(value)}>
              <SafeText isMono>{value}</SafeText>
            </span>
            <span className="search-count">
              {about}
              {number(count)}
            </span>
            <NarrowButtons field={field} value={value} onNarrow={onNarrow} />
          </li>
        ))}
      </ul>
      {(other > 0 || missing > 0) && (
        <p className="search-facet-foot">
          {[
            other > 0 && fill(words.otherValues, { count: other }),
            missing > 0 && fill(words.withoutValue, { count: missing }),
          ]
            .filter(Boolean)
            .join(" · ")}
        </p>
      )}
      <span className="search-facet-column">
        <ColumnButton field={field} isShown={columns.includes(field)} onColumn={onColumn} />
      </span>
    </details>
  );
}

export interface NarrowButtonsProps {
  field: string;
  value: string;
  onNarrow: (term: string, isExcluded: boolean) => void;
}

/** + includes only logs with the value, − excludes them. */
export function NarrowButtons({ field, value, onNarrow }: NarrowButtonsProps) {
  const words = usePhrases(searchPhrases);
  const term = formatTerm(field, value);
  const name = safeText(term);
  return (
    <span className="search-buttons">
      <IconButton
        size="s"
        icon={<Plus />}
        label={fill(words.include, { term: name })}
        onClick={() => onNarrow(term, false)}
      />
      <IconButton
        size="s"
        icon={<Minus />}
        label={fill(words.exclude, { term: name })}
        onClick={() => onNarrow(term, true)}
      />
    </span>
  );
}

interface ColumnButtonProps {
  field: string;
  isShown: boolean;
  onColumn: (field: string) => void;
}

export function ColumnButton({ field, isShown, onColumn }: ColumnButtonProps) {
  const words = usePhrases(searchPhrases);
  return (
    <IconButton
      size="s"
      icon={<Columns3 />}
      isPressed={isShown}
      label={fill(words.asColumn, { field: safeText(field) })}
      onClick={() => onColumn(field)}
    />
  );
}

function AllFields({ search, part, columns, onColumn, onField }: HuntFacetsProps & { part: string }) {
  const words = usePhrases(searchPhrases);
  const { percent } = useNumbers();
  const { server } = useApp();
  const { data, error, refetch } = useQuery({
    queryKey: searchKeys.fields(search.searchId),
    queryFn: ({ signal }) => readFields(server, search, signal),
    placeholderData: (before) => before,
  });
  if (error instanceof ApiError && !data) {
    return <PartFailed title={words.fieldsFailed} error={error} onRetry={() => void refetch()} />;
  }
  const found = (data?.items ?? []).filter(({ name }) => name.toLowerCase().includes(part.trim().toLowerCase()));
  return (
    <div className="search-fields">
      <h2 className="search-heading">{words.allFields}</h2>
      {data && found.length === 0 && <p className="search-hint">{words.noField}</p>}
      <ul>
        {found.map(({ name, type, share, examples }) => (
          <li key={name} className="search-field">
            <button
              type="button"
              className="search-field-name"
              title={safeText([type, ...examples].join(" · "))}
              onClick={() => (WITHOUT_FACET.has(name) ? onColumn(name) : onField(name))}
            >
              <SafeText isMono>{name}</SafeText>
            </button>
            <span className="search-count">{percent(share)}</span>
            <ColumnButton field={name} isShown={columns.includes(name)} onColumn={onColumn} />
          </li>
        ))}
      </ul>
      {data?.has_more && <p className="search-partial">{words.moreFields}</p>}
    </div>
  );
}
