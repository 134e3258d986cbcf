import { invalidField } from "@kit/problem";
import { type AlertStatus, SEVERITIES, type Severity } from "../../alerts/alerts/alerts.schema.ts";
import type { Alert } from "../../alerts/module.ts";
import type { Case } from "../../cases/module.ts";
import type { TopSource } from "./stats.schema.ts";
import {
  computeMeanTimes,
  countTopSources,
  DAY_MS,
  groupAlertCounts,
  mergeTopSources,
  type RecordStats,
  roundMinutes,
  type StatusCount,
} from "./stats.ts";

/** A half-open period: `from` is included, `to` is not. */
export interface Period {
  from: Date;
  to: Date;
}

/** The events of a period, and what is still open at the time of the request. */
export interface PeriodFacts extends Pick<RecordStats, "mtta_minutes" | "mttr_minutes"> {
  alerts: Omit<RecordStats["alerts"], "new_24h">;
  /** 24-hour days from the start of the period with the number of alerts created. */
  days: { day: Date; count: number }[];
  top_sources: TopSource[];
  cases: { opened: number; closed: number };
  /** Cases of high or critical severity that are not resolved or closed, most severe and oldest first. */
  open_risks: { total: number; cases: OpenRisk[] };
}
export type OpenRisk = Pick<Case, "id" | "title" | "severity" | "status" | "assignee" | "created_at" | "due_at">;

const MAX_DAYS = 366;
export const MAX_RISKS = 20;
const PART_MS = 10 * DAY_MS;
const WORST = SEVERITIES.slice(0, 2);

/** Default: the last 30 days. */
export function parsePeriod(from: string | undefined, to: string | undefined, now: Date): Period {
  const end = to === undefined ? now : parseTime("to", to);
  const start = from === undefined ? new Date(end.getTime() - 30 * DAY_MS) : parseTime("from", from);
  if (start >= end) throw invalidField("from", "must be before to");
  if (end.getTime() - start.getTime() > MAX_DAYS * DAY_MS) {
    throw invalidField("from", `must be at most ${MAX_DAYS} days before to`);
  }
  return { from: start, to: end };
}

function parseTime(field: string, text: string): Date {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) throw invalidField(field, `'${text}' is not a valid time`);
  return time;
}

function fillDays({ from, to }: Period, rows: readonly { day: number; count: number }[]): PeriodFacts["days"] {
  const length = Math.ceil((to.getTime() - from.getTime()) / DAY_MS);
  const counts = new Map(rows.map(({ day, count }) => [day, count]));
  return Array.from({ length }, (_, day) => ({
    day: new Date(from.getTime() + day * DAY_MS),
    count: counts.get(day) ?? 0,
  }));
}

/** The counts of a part of a period; days are numbered from the start of the whole period. */
export interface Part {
  alerts: readonly (StatusCount<AlertStatus> & { severity: Severity })[];
  days: readonly { day: number; count: number }[];
  sources: readonly TopSource[];
  times: readonly { acknowledged: number; acknowledgeSeconds: number; resolved: number; resolveSeconds: number }[];
}

/** Splits a period into parts of at most 10 days. */
export function splitPeriod({ from, to }: Period): Period[] {
  const parts = Math.ceil((to.getTime() - from.getTime()) / PART_MS);
  return Array.from({ length: parts }, (_, index) => ({
    from: new Date(from.getTime() + index * PART_MS),
    to: new Date(Math.min(to.getTime(), from.getTime() + (index + 1) * PART_MS)),
  }));
}

export function addUp(period: Period, parts: readonly Part[]): Omit<PeriodFacts, "cases" | "open_risks"> {
  const times = parts.flatMap((part) => part.times);
  const sumField = (field: keyof Part["times"][number]) => times.reduce((sum, each) => sum + each[field], 0);
  const computeMean = (seconds: number, count: number) => roundMinutes(count === 0 ? null : seconds / count / 60);
  return {
    alerts: groupAlertCounts(parts.flatMap(({ alerts }) => alerts)),
    days: fillDays(
      period,
      parts.flatMap(({ days }) => days),
    ),
    mtta_minutes: computeMean(sumField("acknowledgeSeconds"), sumField("acknowledged")),
    mttr_minutes: computeMean(sumField("resolveSeconds"), sumField("resolved")),
    top_sources: mergeTopSources(parts.flatMap(({ sources }) => sources)),
  };
}

/** Computes the same as the database for alerts and cases in memory. */
export function periodInMemory(alerts: readonly Alert[], cases: readonly Case[], period: Period): PeriodFacts {
  const isWithin = (at: Date | null) => at !== null && at >= period.from && at < period.to;
  const created = alerts.filter(({ created_at }) => isWithin(created_at));
  const toDayIndex = ({ created_at }: Alert) => Math.floor((created_at.getTime() - period.from.getTime()) / DAY_MS);
  const risks = cases.filter(
    ({ severity, status }) => isWorst(severity) && status !== "resolved" && status !== "closed",
  );
  return {
    alerts: groupAlertCounts(created.map(({ status, severity }) => ({ status, severity, count: 1 }))),
    days: fillDays(period, countDays(created.map(toDayIndex))),
    ...computeMeanTimes(created),
    top_sources: countTopSources(created.map(({ source }) => source)),
    cases: {
      opened: cases.filter(({ created_at }) => isWithin(created_at)).length,
      closed: cases.filter(({ closed_at }) => isWithin(closed_at)).length,
    },
    open_risks: {
      total: risks.length,
      cases: risks.toSorted(byRisk).slice(0, MAX_RISKS).map(toRisk),
    },
  };
}

function countDays(days: readonly number[]): { day: number; count: number }[] {
  return [...new Set(days)].map((day) => ({ day, count: days.filter((each) => each === day).length }));
}

function toRisk({ id, title, severity, status, assignee, created_at, due_at }: Case): OpenRisk {
  return { id, title, severity, status, assignee, created_at, due_at };
}

function isWorst(severity: Severity): boolean {
  return WORST.includes(severity);
}

function byRisk(a: Case, b: Case): number {
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || a.created_at.getTime() - b.created_at.getTime()
  );
}
