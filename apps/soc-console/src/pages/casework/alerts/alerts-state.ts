import { OPEN_ALERTS } from "@soc/service/contract/reporting/attention/attention-filter";
import { useMemo } from "react";
import { useAddress } from "../../../app/address/use-address.ts";
import { NEEDS_ME_FILTER, NEEDS_ME_RANGE } from "../../../app/attention/attention.ts";
import { now } from "../../../app/browser/clock.ts";
import { useMe } from "../../../app/context/app-context.ts";
import { readRange, type TimeRange } from "../../../app/time/range.ts";
import { type AlertParameters, toParameters } from "./alert-filter.ts";
import type { Grouping, SavedView } from "./alerts-client.ts";

export type BuiltInView = "needs-me" | "unassigned" | "critical";

const OPEN = `status:(${OPEN_ALERTS.join(" OR ")})`;
/** The default views of every user, with their filters. */
export const BUILT_IN_VIEWS: Readonly<Record<BuiltInView, string>> = {
  "needs-me": NEEDS_ME_FILTER,
  unassigned: `${OPEN} assignee:none`,
  critical: `${OPEN} severity:critical`,
};
export const FIRST_VIEW: BuiltInView = "needs-me";
/** Stands for an empty filter in the address, because an empty parameter is dropped. */
export const NO_FILTER = "*";
const DEFAULT_RANGE: TimeRange = { from: "-24h" };

/** A queue shows what waits, however long it has waited. */
function findDefaultRange(view: string, q: string | undefined): TimeRange {
  return isBuiltIn(view) && q === undefined ? NEEDS_ME_RANGE : DEFAULT_RANGE;
}
export const SORTS = ["-last_seen", "-created_at", "-severity", "-risk_score", "last_seen"] as const;
export type AlertSort = (typeof SORTS)[number];
export const GROUPINGS: readonly Grouping[] = ["rule_id", "host", "user", "case_id", "technique"];
export const EXTRA_COLUMNS = ["user", "technique", "source", "site", "risk"] as const;
export type ExtraColumn = (typeof EXTRA_COLUMNS)[number];

export function isBuiltIn(view: string): view is BuiltInView {
  return view in BUILT_IN_VIEWS;
}

/** The filter of a view; undefined while a saved view is loading. */
export function findViewFilter(view: string, saved: readonly SavedView[]): string | undefined {
  if (isBuiltIn(view)) return BUILT_IN_VIEWS[view];
  const q = saved.find(({ id }) => id === view)?.state.q;
  return typeof q === "string" ? q : undefined;
}

export interface AlertsState {
  view: string;
  /** The filter as text. */
  text: string;
  parameters: AlertParameters;
  range: TimeRange;
  sort: AlertSort;
  by: readonly Grouping[];
  /** The optional columns; undefined: as many as fit. */
  columns: readonly ExtraColumn[] | undefined;
  /** Identifies the list: another key is another list. */
  key: string;
}

/** The state of the list in the address. */
export function useAlertsState(saved: readonly SavedView[]): AlertsState {
  const { search } = useAddress();
  const { username } = useMe();
  const { view = FIRST_VIEW, q, from, to, sort, by, cols } = search;
  const text = q === NO_FILTER ? "" : (q ?? findViewFilter(view, saved) ?? "");
  return useMemo(() => {
    const range = readRange({ from, to }, now()) ?? findDefaultRange(view, q);
    const order = SORTS.find((each) => each === sort) ?? "-last_seen";
    return {
      view,
      text,
      parameters: toParameters(text, username),
      range,
      sort: order,
      by: (by ?? "")
        .split(",")
        .flatMap((name) => GROUPINGS.filter((each) => each === name))
        .slice(0, 2),
      columns: cols?.split(",").flatMap((name) => EXTRA_COLUMNS.filter((each) => each === name)),
      key: JSON.stringify([text, range, order]),
    };
  }, [view, text, q, username, from, to, sort, by, cols]);
}
