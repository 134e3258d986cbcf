import { invalidField } from "@kit/problem";
import type { Static } from "typebox";
import type { SlaBody, SlaTargets } from "./case-sla.schema.ts";

export type Sla = Static<typeof SlaBody>;

/** The SLA times of a case; both deadlines are null without targets. */
export type SlaTimes = Omit<Sla, "state">;

/** A case that is close to one of its deadlines or has passed it. */
export interface SlaNotice {
  id: string;
  title: string;
  assignee: string | null;
  deadline: "respond" | "resolve";
  by: Date;
  state: "near" | "breached";
}

export const NO_SLA: SlaTimes = { respond_by: null, resolve_by: null, responded_at: null, resolved_at: null };

/** The last share of the period in which a deadline counts as near. */
export const NEAR_SHARE = 0.25;
const MINUTE_MS = 60_000;

/** Computes the deadlines of a case from its opening time. */
export function setDeadlines(times: SlaTimes, targets: SlaTargets, created_at: Date): SlaTimes {
  const after = (minutes: number | null) =>
    minutes === null ? null : new Date(created_at.getTime() + minutes * MINUTE_MS);
  return { ...times, respond_by: after(targets.respond_minutes), resolve_by: after(targets.resolve_minutes) };
}

/** A case is responded to when it first leaves `open`. A reopened case is no longer resolved. */
export function followStatus(times: SlaTimes, status: string, now: Date): SlaTimes {
  const isResolved = status === "resolved" || status === "closed";
  return {
    ...times,
    responded_at: times.responded_at ?? (status === "open" ? null : now),
    resolved_at: isResolved ? (times.resolved_at ?? now) : null,
  };
}

/** Computes the SLA state of a case at a given time. */
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

/** A case cannot be resolved before it is responded to. */
export function requireOrder(field: string, { respond_minutes, resolve_minutes }: SlaTargets): void {
  if (respond_minutes === null || resolve_minutes === null || respond_minutes <= resolve_minutes) return;
  throw invalidField(`${field}.resolve_minutes`, "must not be less than respond_minutes");
}
