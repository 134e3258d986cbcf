import { useQuery } from "@tanstack/react-query";
import { Tag } from "lucide-react";
import { type KeyboardEvent, useId, useMemo, useRef } from "react";
import { useAddress } from "../../../app/address/use-address.ts";
import { useApp } from "../../../app/context/app-context.ts";
import { useCommands } from "../../../app/keys/commands-context.tsx";
import { useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { focusHeading } from "../../../app/page/focus-heading.ts";
import { safeText } from "../../../app/text/safe-text.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Button } from "../../../design/button.tsx";
import { SelectField, TextField } from "../../../design/field.tsx";
import {
  COVERAGE_KEY,
  type CoverageFilter,
  type CoveredSource,
  readCoverage,
  readNewestRules,
} from "./attack-client.ts";
import { FoldAll } from "./attack-matrix-view.tsx";
import { attackPhrases } from "./attack-phrases.ts";

const EVERYTHING: CoverageFilter = { tag: undefined, source: undefined };
const SHOWN_SOURCES = 6;

/** The sources of all rules, independent of the filter. */
function useSources(): readonly CoveredSource[] {
  const { server } = useApp();
  const { data } = useQuery({
    queryKey: [...COVERAGE_KEY, EVERYTHING],
    queryFn: ({ signal }) => readCoverage(server, EVERYTHING, signal),
  });
  return data?.sources ?? [];
}

function useTags(): readonly string[] {
  const { server } = useApp();
  const { data } = useQuery({ queryKey: ["attack", "tags"], queryFn: ({ signal }) => readNewestRules(server, signal) });
  return useMemo(() => [...new Set(data?.items.flatMap(({ tags }) => tags))].toSorted(), [data]);
}

function TagFilter({ tag }: { tag: string | undefined }) {
  const words = usePhrases(attackPhrases);
  const { change } = useAddress();
  const field = useRef<HTMLInputElement>(null);
  const list = useId();
  const tags = useTags();
  useCommands([
    { id: "attack.tag", label: words.filterTag, group: words.title, keys: ["/"], run: () => field.current?.focus() },
  ]);
  const choose = (text: string) => {
    if (text.trim() !== (tag ?? "")) change({ tag: text.trim() }, { isStep: true });
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter") choose(event.currentTarget.value);
    if (event.key === "Escape") focusHeading();
  };
  return (
    <>
      <TextField
        key={tag ?? ""}
        ref={field}
        label={words.tag}
        isLabelHidden
        icon={<Tag size={14} aria-hidden="true" />}
        placeholder={words.anyTag}
        defaultValue={tag}
        maxLength={100}
        list={list}
        onKeyDown={press}
        onBlur={(event) => choose(event.currentTarget.value)}
      />
      <datalist id={list}>
        {tags.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </>
  );
}

function SourceFilter({ source }: { source: string | undefined }) {
  const words = usePhrases(attackPhrases);
  const { change } = useAddress();
  const sources = useSources();
  const names = sources.map((each) => each.source);
  const options = [
    { value: "", label: words.anySource },
    ...(source !== undefined && !names.includes(source) ? [{ value: source, label: safeText(source) }] : []),
    ...sources.map((each) => ({
      value: each.source,
      label:
        each.state === "sending" ? safeText(each.source) : `${safeText(each.source)} (${words.sources[each.state]})`,
    })),
  ];
  return (
    <SelectField
      label={words.source}
      isLabelHidden
      options={options}
      value={source ?? ""}
      onChange={(value) => change({ source: value }, { isStep: true })}
    />
  );
}

export interface AttackFiltersProps {
  filter: CoverageFilter;
  /** How many ids no matrix contains. */
  unknown: number;
  onUnknown: () => void;
}

/** Selects the rules that count, and shows how much of the matrix is covered. */
export function AttackFilters({ filter, unknown, onUnknown }: AttackFiltersProps) {
  const words = usePhrases(attackPhrases);
  const numbers = useNumbers();
  const { change } = useAddress();
  const isFiltered = filter.tag !== undefined || filter.source !== undefined;
  return (
    <div className="attack-filters">
      <TagFilter tag={filter.tag} />
      <SourceFilter source={filter.source} />
      {isFiltered && (
        <Button kind="ghost" onClick={() => change({ tag: undefined, source: undefined }, { isStep: true })}>
          {words.clearFilter}
        </Button>
      )}
      <FoldAll />
      {unknown > 0 && (
        <Button kind="ghost" onClick={onUnknown}>
          {numbers.count(unknown, words.unknownIds)}
        </Button>
      )}
    </div>
  );
}

interface SilentSourcesProps {
  sources: readonly CoveredSource[];
  chosen: string | undefined;
}

/** Silent sources that rules depend on. Each filters the matrix to its rules. */
export function SilentSources({ sources, chosen }: SilentSourcesProps) {
  const words = usePhrases(attackPhrases);
  const numbers = useNumbers();
  const time = useTime();
  const { change } = useAddress();
  const missing = sources.filter(({ state }) => state !== "sending");
  if (missing.length === 0) return null;
  const since = ({ silent_since, last_seen, state }: CoveredSource) => {
    const at = silent_since ?? last_seen;
    return at === null ? words.sources[state] : `${words.sources[state]} · ${time.relative(at)}`;
  };
  return (
    <section className="attack-silent" aria-label={words.silentSources}>
      <span className="attack-silent-label">{words.silentSources}</span>
      {missing.slice(0, SHOWN_SOURCES).map((each) => (
        <button
          key={each.source}
          type="button"
          className="attack-source"
          aria-pressed={each.source === chosen}
          title={words.showSource}
          onClick={() => change({ source: each.source === chosen ? undefined : each.source }, { isStep: true })}
        >
          <SafeText isMono>{each.source}</SafeText>
          <span>{since(each)}</span>
          <span>{numbers.count(each.rule_count, words.rules)}</span>
        </button>
      ))}
      {missing.length > SHOWN_SOURCES && (
        <span>{numbers.count(missing.length - SHOWN_SOURCES, words.moreSources)}</span>
      )}
    </section>
  );
}
