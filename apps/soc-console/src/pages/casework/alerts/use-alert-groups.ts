import { useQueries, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { completeList, type ListPages } from "../../../design/list/list-pages.ts";
import type { AlertParameters } from "./alert-filter.ts";
import { type AlertItem, type GroupItem, type ListItem, toItem } from "./alert-item.ts";
import { type AlertGroup, type AlertsClient, alertKeys, type Grouping } from "./alerts-client.ts";

const GROUP_LIMIT = 100;

export interface AlertGroupsDeps {
  client: AlertsClient;
  /** One or two levels; empty: not grouped. */
  by: readonly Grouping[];
  sort: string;
  readParameters: () => AlertParameters;
  generation: number;
}

export interface ShownGroups {
  pages: ListPages<ListItem>;
  ids: readonly string[];
  /** Index in the first level. */
  count: number;
  patch: (change: (item: AlertItem) => AlertItem) => void;
  toggle: (key: string) => void;
  setAll: (isOpen: boolean) => void;
}

interface OpenGroup {
  key: string;
  parameters: AlertParameters;
  /** The children: groups of the second level, or alerts. */
  inner: Grouping | undefined;
}

const groupKey = (outer: string, by: Grouping, value: string) => `${outer}${by}=${value}/`;

/** Groups of the alerts, at most two levels deep. Children load when a group is opened. */
export function useAlertGroups({ client, by, sort, readParameters, generation }: AlertGroupsDeps): ShownGroups {
  const [first, second] = by;
  const queries = useQueryClient();
  const [open, setOpen] = useState<ReadonlyMap<string, OpenGroup>>(() => new Map());
  const base = JSON.stringify([readParameters(), by, generation]);
  const { data: groups, isPending } = useQuery({
    queryKey: alertKeys.groups(base),
    queryFn: ({ signal }) => client.group(readParameters(), first ?? "rule_id", signal),
    enabled: first !== undefined && generation > 0,
  });
  const opened = [...open.values()];
  const inner = useQueries({
    queries: opened.map(({ key, parameters, inner: grouping }) => ({
      queryKey: alertKeys.groups(`${base} ${key}`),
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Inside> =>
        grouping
          ? { groups: (await client.group(parameters, grouping, signal)).items }
          : {
              alerts: (await client.list(parameters, { sort, limit: GROUP_LIMIT }, signal)).items.map((alert) =>
                toItem(alert),
              ),
            },
      enabled: first !== undefined,
    })),
    combine: (results) => results.map(({ data }) => data),
  });
  const inside = useMemo(() => {
    return new Map([...open.keys()].map((key, index) => [key, inner[index]]));
  }, [open, inner]);

  const rows = useMemo(() => {
    if (!first || !groups) return [];
    const context = { inside, isOpen: (key: string) => open.has(key), second };
    return layGroups(groups.items, { by: first, level: 0, outer: "", parameters: readParameters() }, context);
  }, [first, second, groups, inside, open, readParameters]);

  const toggle = useCallback(
    (key: string) => {
      const row = rows.find((item) => item.key === key);
      if (row?.kind === "group") setOpen((before) => withToggled(before, row, second));
    },
    [rows, second],
  );
  const setAll = useCallback(
    (isOpen: boolean) => {
      const outer = rows.filter((item): item is GroupItem => item.kind === "group" && item.level === 0).slice(0, 10);
      setOpen(isOpen ? new Map(outer.map((item) => [item.key, toOpen(item, second)])) : new Map());
    },
    [rows, second],
  );
  const patch = useCallback(
    (change: (item: AlertItem) => AlertItem) => {
      queries.setQueriesData<Inside>({ queryKey: ["alerts", "groups"] }, (before) =>
        before?.alerts ? { ...before, alerts: before.alerts.map(change) } : before,
      );
    },
    [queries],
  );
  return useMemo(
    () => ({
      pages: { ...completeList(rows), isLoading: first !== undefined && isPending },
      count: rows.filter((item) => item.kind === "group" && item.level === 0).length,
      ids: rows.flatMap((item) => (item.kind === "alert" ? [item.key] : [])),
      patch,
      toggle,
      setAll,
    }),
    [rows, first, isPending, patch, toggle, setAll],
  );
}

interface Inside {
  groups?: AlertGroup[];
  alerts?: AlertItem[];
}

function toOpen({ key, level, parameters }: GroupItem, second: Grouping | undefined): OpenGroup {
  return { key, parameters, inner: level === 0 ? second : undefined };
}

/** Closing a group also closes the groups inside it. */
function withToggled(open: ReadonlyMap<string, OpenGroup>, item: GroupItem, second: Grouping | undefined) {
  const next = new Map(open);
  if (!next.has(item.key)) return next.set(item.key, toOpen(item, second));
  for (const key of open.keys()) if (key.startsWith(item.key)) next.delete(key);
  return next;
}

interface Place {
  by: Grouping;
  level: number;
  outer: string;
  parameters: AlertParameters;
}

interface LayContext {
  inside: ReadonlyMap<string, Inside | undefined>;
  isOpen: (key: string) => boolean;
  second: Grouping | undefined;
}

function layGroups(groups: readonly AlertGroup[], place: Place, context: LayContext): ListItem[] {
  const { by, level, outer } = place;
  return groups.flatMap((group) => {
    const key = groupKey(outer, by, group.key);
    const parameters = { ...place.parameters, [by]: [group.key] };
    const isOpen = context.isOpen(key);
    const content = context.inside.get(key);
    const row: GroupItem = { kind: "group", key, by, group, level, isOpen, isReading: isOpen && !content, parameters };
    if (!isOpen || !content) return [row];
    if (content.groups && context.second) {
      return [row, ...layGroups(content.groups, { by: context.second, level: 1, outer: key, parameters }, context)];
    }
    return [row, ...(content.alerts ?? []).map((item) => ({ ...item, level: level + 1 }))];
  });
}
