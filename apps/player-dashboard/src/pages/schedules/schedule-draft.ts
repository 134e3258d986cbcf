import type { CreateScheduleRequest, ScheduleBody } from "@player/service/contract/schedules";
import { buildTarget, EMPTY_DRAFT, type TargetDraft, toTargetDraft } from "../../app/targets/target-draft.ts";

type Side = "before" | "at" | "after";

/** A schedule in the form. It has the fields of both kinds, including the one not chosen. */
export interface ScheduleDraft {
  name: string;
  kind: "clock" | "prayer";
  /** HH:MM; empty while none is chosen. */
  time: string;
  prayer: number;
  side: Side;
  minutes: number;
  days: number;
  once: boolean;
  target: TargetDraft;
  volume: number | undefined;
  fade_in_s: number;
  duration_min: number;
}

export const EMPTY_SCHEDULE: ScheduleDraft = {
  name: "",
  kind: "clock",
  time: "05:00",
  prayer: 0,
  side: "before",
  minutes: 20,
  days: 127,
  once: false,
  target: EMPTY_DRAFT,
  volume: undefined,
  fade_in_s: 0,
  duration_min: 0,
};

const TIME = /^(\d{2}):(\d{2})/;

export function missingIn({ kind, time, days, target }: ScheduleDraft): "days" | "time" | "target" | undefined {
  if (kind === "clock" && !TIME.test(time)) return "time";
  if (days === 0) return "days";
  return buildTarget(target) ? undefined : "target";
}

/** Builds the request; undefined while a field is missing. */
export function buildScheduleRequest(draft: ScheduleDraft): CreateScheduleRequest | undefined {
  const target = buildTarget(draft.target);
  if (!target || missingIn(draft)) return undefined;
  const { days, volume, fade_in_s, duration_min, once } = draft;
  return {
    name: draft.name.trim(),
    ...buildWhen(draft),
    days,
    target,
    ...(volume !== undefined && { volume }),
    fade_in_s,
    duration_min,
    once,
  };
}

function buildWhen({ kind, time, prayer, side, minutes }: ScheduleDraft) {
  if (kind === "prayer") return { anchor: { prayer, offset_min: toOffset(side, minutes) } };
  const [, hour, minute] = TIME.exec(time) ?? [];
  return { hour: Number(hour), minute: Number(minute) };
}

function toOffset(side: Side, minutes: number): number {
  if (side === "at") return 0;
  return side === "before" ? -minutes : minutes;
}

/** The form of an existing schedule. */
export function toScheduleDraft(schedule: ScheduleBody): ScheduleDraft {
  const { name, days, once, fade_in_s, duration_min } = schedule;
  return {
    ...EMPTY_SCHEDULE,
    name,
    days,
    once,
    fade_in_s,
    duration_min,
    ...toWhenDraft(schedule),
    target: toTargetDraft(schedule.target),
    volume: schedule.volume ?? undefined,
  };
}

function toWhenDraft({ hour, minute, anchor }: ScheduleBody): Partial<ScheduleDraft> {
  if (!anchor) return { kind: "clock", time: `${twoDigits(hour ?? 0)}:${twoDigits(minute ?? 0)}` };
  const { prayer, offset_min } = anchor;
  if (offset_min === 0) return { kind: "prayer", prayer, side: "at" };
  return { kind: "prayer", prayer, side: offset_min < 0 ? "before" : "after", minutes: Math.abs(offset_min) };
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}
