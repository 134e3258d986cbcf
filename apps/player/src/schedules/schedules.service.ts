import type { Clock } from "@kit/clock";
import { createTimer } from "@kit/clock/timer";
import type { Log } from "@kit/log";
import { invalidField, notFound, Problem } from "@kit/problem";
import { listPart } from "../backup/list-part.ts";
import type { ListChange } from "../favorites/favorites.schema.ts";
import { isPlayable } from "../rfid/card.ts";
import { below } from "../storage/backup-part.ts";
import type { TryWrite } from "../storage/try-write.ts";
import type { Target } from "../targets/target.schema.ts";
import { parseTextTarget, readTarget } from "../targets/target.ts";
import type { TargetsService } from "../targets/targets.service.ts";
import type { TimeService } from "../time/time.service.ts";
import {
  type Almanac,
  findDue,
  handledWith,
  nextRun,
  type Occurrence,
  runsBetween,
  type Schedule,
} from "./schedule.ts";
import { createScheduleRecordsService } from "./schedule-records.service.ts";
import type { ScheduledPlayback } from "./scheduled-playback.ts";
import { type CreateScheduleRequest, KeptSchedule, type ScheduleBody, type ScheduleFired } from "./schedules.schema.ts";
import type { SchedulesStore } from "./schedules.store.ts";

export interface SchedulesServiceDeps {
  store: SchedulesStore;
  time: Pick<TimeService, "now" | "isValid" | "zone" | "onChange">;
  prayer: {
    /** The six prayers of a date, in epoch seconds; undefined without a location. */
    epochsOn(date: string): readonly number[] | undefined;
    onChange(listener: () => void): () => void;
  };
  targets: TargetsService;
  playback: ScheduledPlayback;
  maxVolume: () => number;
  tryWrite: TryWrite;
  events: {
    emit(type: "schedules", data: ListChange): void;
    emit(type: "schedule_fired", data: ScheduleFired): void;
    emit(type: "error", data: { code: string; message: string }): void;
  };
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "warn">;
}
export type SchedulesService = ReturnType<typeof createSchedulesService>;

const MAX_SCHEDULES = 64;
const ID = /^[1-9]\d{0,14}$/;
// Short enough to follow a clock that is corrected gradually.
const MAX_WAIT_MS = 30_000;
const DAY_S = 86_400;
const SILENT_STREAM_MS = 15_000;
/** Two minutes of them: an alarm whose stream is unreachable must wake a sleeper. */
const MAX_TONES = 8;

/** Starts targets on time: each schedule once on each of its dates, however the clock jumps. */
export function createSchedulesService(deps: SchedulesServiceDeps) {
  const { store, time, prayer, targets, playback, maxVolume, events, clock, log } = deps;
  const records = createScheduleRecordsService(deps);
  const waiting = createTimer(clock);
  const ending = createTimer(clock);
  const listening = createTimer(clock);
  let stopListening: (() => void)[] = [];
  let checkedAtS: number | undefined;

  const nowS = (): number => Math.floor(time.now() / 1000);

  /** The prayers of a date are computed once for all schedules of one check or answer. */
  function almanac(): Almanac {
    const known = new Map<string, readonly number[] | undefined>();
    return {
      zone: time.zone(),
      prayersOn(date) {
        if (!known.has(date)) known.set(date, prayer.epochsOn(date));
        return known.get(date);
      },
    };
  }

  function toBody({ handled, enabled_at: _since, ...schedule }: Schedule, on: Almanac): ScheduleBody {
    const next = schedule.enabled && time.isValid() ? nextRun({ ...schedule, handled }, nowS(), on) : undefined;
    return { ...schedule, next_run: next?.epochS ?? null };
  }

  function get(id: string): Schedule {
    const schedule = ID.test(id) ? records.find(Number(id)) : undefined;
    if (!schedule) throw notFound("schedule", id);
    return schedule;
  }

  function emitChange(action: ListChange["action"], id: number): void {
    events.emit("schedules", { action, id, count: records.count() });
  }

  /** Past runs count as handled: a schedule begins with its next run. */
  function beginNow(schedule: Parameters<typeof runsBetween>[0]): Pick<Schedule, "handled" | "enabled_at"> {
    if (!time.isValid()) return { handled: schedule.handled, enabled_at: null };
    const past = runsBetween(schedule, nowS() - 2 * DAY_S, nowS(), almanac());
    return { handled: handledWith(schedule.handled, past), enabled_at: nowS() };
  }

  function runDue(): void {
    waiting.cancel();
    if (!time.isValid()) {
      checkedAtS = undefined;
      return;
    }
    try {
      check(nowS(), almanac());
    } finally {
      plan();
    }
  }

  function check(now: number, on: Almanac): void {
    // After a start the last check is unknown; runs of the past day are reported as missed.
    const from = Math.max(checkedAtS ?? now - DAY_S, now - DAY_S);
    checkedAtS = now;
    for (const schedule of records.list().filter(({ enabled }) => enabled)) {
      const { id, enabled_at } = schedule;
      if (enabled_at === null) records.note({ ...schedule, enabled_at: now });
      const { runs, missed } = findDue(schedule, from, now, on);
      const late = missed.filter(({ epochS }) => epochS > (enabled_at ?? now));
      for (const occurrence of late) finish(id, [occurrence], "missed", null);
      if (runs) void fire(schedule, runs);
    }
  }

  function plan(): void {
    if (stopListening.length === 0 || !time.isValid()) return;
    // From the last check, not from now: runs that became due since then must not wait for the next one.
    const next = nextAfter(checkedAtS ?? nowS());
    const waitMs = next === undefined ? MAX_WAIT_MS : next * 1000 - time.now();
    waiting.set(Math.min(Math.max(waitMs, 0), MAX_WAIT_MS), runDue);
  }

  function nextAfter(epochS: number): number | undefined {
    const on = almanac();
    const enabled = records.list().filter((schedule) => schedule.enabled);
    const runs = enabled.flatMap((schedule) => nextRun(schedule, epochS, on)?.epochS ?? []);
    return runs.length === 0 ? undefined : Math.min(...runs);
  }

  function finish(id: number, occurrences: readonly Occurrence[], last_result: string, ranAt: number | null): void {
    const current = records.find(id);
    if (!current) return;
    records.note({
      ...current,
      handled: handledWith(current.handled, occurrences),
      last_result,
      last_run: ranAt ?? current.last_run,
      enabled: current.enabled && !current.once,
    });
    events.emit("schedule_fired", { id, name: current.name, result: last_result });
  }

  async function fire(schedule: Schedule, occurrence: Occurrence): Promise<void> {
    // Note the run before it starts, so that it cannot run twice.
    const current = records.find(schedule.id) ?? schedule;
    const handled = handledWith(current.handled, [occurrence]);
    records.note({ ...current, handled, last_result: "running", last_run: nowS() });
    try {
      await start(schedule);
      finish(schedule.id, [occurrence], "ok", nowS());
    } catch (error) {
      log.warn({ err: error, schedule: schedule.id }, "schedule failed to start");
      finish(schedule.id, [occurrence], error instanceof Error ? error.message : "it could not start", nowS());
      if (isPlayable(schedule.target)) await tryTone();
    }
  }

  async function start({ target, volume, fade_in_s, duration_min }: Schedule): Promise<void> {
    const wanted = volume === null ? undefined : Math.min(volume, maxVolume());
    await targets.run(target, { volume: wanted, fadeInS: fade_in_s, by: "clock" });
    const mine = playback.choices();
    replaceSilence(mine, MAX_TONES);
    if (duration_min === 0) return;
    ending.set(duration_min * 60_000, () => {
      if (playback.choices() === mine) playback.stopRecitation();
    });
  }

  /** While the stream stays silent, the tone is played again and again, until a person ends it. */
  function replaceSilence(mine: number, left: number): void {
    listening.set(SILENT_STREAM_MS, () => {
      if (playback.choices() === mine && playback.isSilentStream()) void repeatTone(mine, left);
    });
  }

  async function repeatTone(mine: number, left: number): Promise<void> {
    const isWhole = await tryTone();
    if (isWhole && left > 1 && stopListening.length > 0) replaceSilence(mine, left - 1);
  }

  async function tryTone(): Promise<boolean> {
    try {
      return await playback.playTone();
    } catch (error) {
      log.warn({ err: error }, "playing the tone failed");
      const message = error instanceof Problem ? error.message : "audio: the tone cannot be played";
      events.emit("error", { code: "audio", message });
      return false;
    }
  }

  /** Past runs count as handled here, too. */
  function readKept(kept: KeptSchedule) {
    const when = parseWhen({
      ...kept,
      hour: kept.hour ?? undefined,
      minute: kept.minute ?? undefined,
      anchor: kept.anchor ?? undefined,
    });
    const schedule = { ...kept, ...when, target: readTarget("target", kept.target), handled: [] };
    return { ...schedule, ...beginNow(schedule) };
  }

  function reload(): void {
    records.reload();
    emitChange("replaced", 0);
    plan();
  }

  return {
    list(): ScheduleBody[] {
      const on = almanac();
      return records.list().map((schedule) => toBody(schedule, on));
    },

    async add(request: CreateScheduleRequest): Promise<ScheduleBody> {
      const { name = "", volume = null, fade_in_s = 0, duration_min = 0, once = false, days } = request;
      if (/\p{Cc}/u.test(name))
        throw invalidField("name", "must not contain control characters", { code: "characters_forbidden" });
      const when = parseWhen(request);
      const target = parseTarget(request.target);
      await targets.check("target", target);
      if (records.count() >= MAX_SCHEDULES) {
        throw invalidField("schedules", `there are ${MAX_SCHEDULES} already, and no more can be kept`, {
          code: "storage_limit",
        });
      }
      const schedule = {
        name,
        ...when,
        days,
        target,
        volume,
        fade_in_s,
        duration_min,
        once,
        enabled: true,
        handled: [],
      };
      const added = records.insert({ ...schedule, ...beginNow(schedule) });
      emitChange("added", added.id);
      plan();
      return toBody(added, almanac());
    },

    remove(id: string): void {
      records.remove(get(id).id);
      emitChange("removed", Number(id));
      plan();
    },

    enable(id: string, enabled: boolean): ScheduleBody {
      const schedule = get(id);
      const isWoken = enabled && !schedule.enabled;
      records.change({ ...schedule, enabled, ...(isWoken && beginNow(schedule)) });
      emitChange("added", schedule.id);
      plan();
      return toBody(get(id), almanac());
    },

    backup: listPart({
      name: "schedules",
      Item: KeptSchedule,
      maxItems: MAX_SCHEDULES,
      list: () => records.list().map(toKept),
      keysOf: ({ id }) => [`id ${id}`],
      // The targets may be in the same backup, so their existence is not checked.
      check: (kept, field) => below(field, () => void readKept(kept)),
      removeAll: () => store.removeAll(),
      insert: (kept) => void store.insert(readKept(kept)),
      reload,
    }),

    /** The store was replaced by a backup or a reset. */
    reload,

    /** When the device must be awake again, in epoch seconds. */
    nextWake: () => (time.isValid() ? nextAfter(nowS()) : undefined),

    start(): void {
      stopListening = [time.onChange(runDue), prayer.onChange(plan)];
      runDue();
    },

    close(): void {
      for (const stop of stopListening) stop();
      stopListening = [];
      for (const timer of [waiting, ending, listening]) timer.cancel();
    },
  };
}

function parseTarget(given: unknown): Target {
  return typeof given === "string" && given !== "" ? parseTextTarget(given) : readTarget("target", given);
}

function toKept({
  handled: _handled,
  enabled_at: _since,
  last_run: _ran,
  last_result: _result,
  ...kept
}: Schedule): KeptSchedule {
  return kept;
}

interface WantedWhen {
  hour?: number | undefined;
  minute?: number | undefined;
  anchor?: Schedule["anchor"] | undefined;
}

function parseWhen({ hour, minute, anchor }: WantedWhen): Pick<Schedule, "hour" | "minute" | "anchor"> {
  if (anchor) {
    if (hour !== undefined || minute !== undefined) {
      throw invalidField("anchor", "must not come together with hour and minute");
    }
    return { hour: null, minute: null, anchor };
  }
  if (hour === undefined) throw invalidField("hour", "is required unless anchor is given");
  if (minute === undefined) throw invalidField("minute", "is required unless anchor is given");
  return { hour, minute, anchor: null };
}
