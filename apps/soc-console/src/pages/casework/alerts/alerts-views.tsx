import { useQueries, useQueryClient } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import { useEffect, useRef } from "react";
import { formatSearch } from "../../../app/address/search.ts";
import { useAddress } from "../../../app/address/use-address.ts";
import { after, now } from "../../../app/browser/clock.ts";
import { useLive, useMe } from "../../../app/context/app-context.ts";
import { fill, isolated, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { safeText } from "../../../app/text/safe-text.ts";
import { resolveRange } from "../../../app/time/range.ts";
import { IconButton } from "../../../design/button.tsx";
import { TabLinks } from "../../../design/tabs.tsx";
import { toParameters } from "./alert-filter.ts";
import { type AlertsClient, alertKeys, type SavedView } from "./alerts-client.ts";
import { alertsPhrases } from "./alerts-phrases.ts";
import { type AlertsState, BUILT_IN_VIEWS, FIRST_VIEW, findViewFilter, isBuiltIn } from "./alerts-state.ts";
import type { AlertList } from "./use-alert-list.ts";

/** The counts of the other views are reloaded at most once in this time when alerts change. */
const PERIOD_MS = 30_000;
const MAX_COUNTED = 6;

function toText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The address parameters of a view. */
function toSearch(view: string, saved: readonly SavedView[]): Record<string, string | undefined> {
  const state = saved.find(({ id }) => id === view)?.state ?? {};
  return {
    view: view === FIRST_VIEW ? undefined : view,
    sort: toText(state.sort),
    by: toText(state.by),
    cols: toText(state.cols),
    from: toText(state.from),
    to: toText(state.to),
  };
}

export interface AlertsViewsProps {
  client: AlertsClient;
  saved: readonly SavedView[];
  state: AlertsState;
  list: AlertList;
  onSave: () => void;
  onRemove: (view: SavedView) => void;
}

/** The views as tabs, each with its alert count. */
export function AlertsViews({ client, saved, state, list, onSave, onRemove }: AlertsViewsProps) {
  const words = usePhrases(alertsPhrases);
  const { number } = useNumbers();
  const { username } = useMe();
  const { search, go } = useAddress();
  const views = [...Object.keys(BUILT_IN_VIEWS), ...saved.map(({ id }) => id)];
  const isEdited = search.q !== undefined;
  const counts = useViewCounts({
    client,
    views: views.slice(0, MAX_COUNTED),
    saved,
    state,
    isReady: list.generation > 0,
  });
  const current = saved.find(({ id }) => id === state.view);

  const items = views.map((view, index) => {
    const isCurrent = view === state.view && !isEdited;
    const count = isCurrent ? list.total : counts[index];
    const name = isBuiltIn(view) ? words.builtIn[view] : safeText(saved.find(({ id }) => id === view)?.name ?? "");
    const wanted = toSearch(view, saved);
    return {
      label: name,
      count: count === undefined ? undefined : number(count),
      href: `/alerts${formatSearch(wanted)}`,
      isCurrent,
      onSelect: () => go("/alerts", wanted),
    };
  });
  return (
    <>
      <TabLinks label={words.views} items={items} />
      <IconButton size="s" label={words.saveView} icon={<Plus />} onClick={onSave} />
      {current && current.created_by === username && !isEdited && (
        <IconButton
          size="s"
          label={fill(words.removeView, { name: isolated(current.name) })}
          icon={<Trash2 />}
          onClick={() => onRemove(current)}
        />
      )}
    </>
  );
}

interface CountDeps {
  client: AlertsClient;
  views: readonly string[];
  saved: readonly SavedView[];
  state: AlertsState;
  isReady: boolean;
}

function useViewCounts({ client, views, saved, state, isReady }: CountDeps): (number | undefined)[] {
  const { username } = useMe();
  const queries = useQueryClient();
  const waiting = useRef<(() => void) | undefined>(undefined);
  useEffect(() => () => waiting.current?.(), []);
  useLive({
    onEvents: (events) => {
      if (!events.some(({ type }) => type.startsWith("alert."))) return;
      waiting.current ??= after(PERIOD_MS, () => {
        waiting.current = undefined;
        void queries.invalidateQueries({ queryKey: ["alerts", "count"] });
      });
    },
    onReset: () => undefined,
  });
  return useQueries({
    queries: views.map((view) => {
      const text = findViewFilter(view, saved) ?? "";
      return {
        queryKey: alertKeys.count(`${text} ${state.range.from} ${state.range.to ?? ""}`),
        queryFn: async ({ signal }: { signal: AbortSignal }) => {
          const from = resolveRange(state.range, now()).from.toISOString();
          return (await client.count({ ...toParameters(text, username), from }, signal, true)).total;
        },
        // The list provides the count of the current view.
        enabled: isReady && view !== state.view,
        staleTime: PERIOD_MS,
      };
    }),
    combine: (results) => results.map(({ data }) => data),
  });
}
