import { invalidField } from "@kit/problem";
import type { Static } from "typebox";
import type { SlaBody, SlaTargets } from "./case-sla.schema.ts";

export type Sla = Static<typeof SlaBody>;

/** The times of a case; both deadlines are null when there is no target. */
export type SlaTimes = Omit<Sla, "state">;

/** A case whose time for one of its deadlines is nearly over, or over. */
export interface SlaNotice {
  id: string;
  title: string;
  assignee: string | null;
  deadline: "respond" | "resolve";
  by: Date;
  state: "near" | "breached";
}

export const NO_SLA: SlaTimes = { respond_by: null, resolve_by: null, responded_at: null, resolved_at: null };

/** The last part of the time in which a deadline is near. */
export const NEAR_SHARE = 0.25;
const MINUTE_MS = 60_000;

/** The deadlines of a case that was opened at that time. */
export function setDeadlines(times: SlaTimes, targets: SlaTargets, created_at: Date): SlaTimes {
  const after = (minutes: number | null) =>
    minutes === null ? null : new Date(created_at.getTime() + minutes * MINUTE_MS);
  return { ...times, respond_by: after(targets.respond_minutes), resolve_by: after(targets.resolve_minutes) };
}

/** A case is taken up when it first leaves `open`. A case that is opened again is not resolved any more. */
export function followStatus(times: SlaTimes, status: string, now: Date): SlaTimes {
  const isResolved = status === "resolved" || status === "closed";
  return {
    ...times,
    responded_at: times.responded_at ?? (status === "open" ? null : now),
    resolved_at: isResolved ? (times.resolved_at ?? now) : null,
  };
}

/** How a case stands at a time. */
export function judgeSla(times: SlaTimes, created_at: Date, now: Date): Sla {
  const { respond_by, resolve_by, responded_at, resolved_at } = times;
  if (respond_by === null && resolve_by === null) return { ...times, state: null };
  const states = [judgeDeadline(respond_by, responded_at), judgeDeadline(resolve_by, resolved_at)];
  const state = (["breached", "near", "ok"] as const).find((each) => states.includes(each)) ?? "met";
  return { ...times, state };

  function judgeDeadline(by: Date | null, at: Date | null): Sla["state"] {
    if (by === null) return "met";
    if ((at ?? now) > by) return "breached";
    if (at !== null) return "met";
    const nearMs = NEAR_SHARE * (by.getTime() - created_at.getTime());
    return by.getTime() - now.getTime() <= nearMs ? "near" : "ok";
  }
}

/** A case cannot be resolved before it is taken up. */
export function requireOrder(field: string, { respond_minutes, resolve_minutes }: SlaTargets): void {
  if (respond_minutes === null || resolve_minutes === null || respond_minutes <= resolve_minutes) return;
  throw invalidField(`${field}.resolve_minutes`, "must not be less than respond_minutes");
}
