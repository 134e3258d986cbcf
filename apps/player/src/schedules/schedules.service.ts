import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { invalidField, notFound } from "@kit/problem";
import { below } from "../backup/backup-part.ts";
import { listPart } from "../backup/list-part.ts";
import type { ListChange } from "../favorites/favorites.schema.ts";
import { createTimer } from "../playback/timer.ts";
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
  playback: {
    /** Changes with every command that selects what is played. */
    commands(): number;
    isSilentStream(): boolean;
    playTone(): Promise<void>;
    stopRecitation(): void;
  };
  maxVolume: () => number;
  events: {
    emit(type: "schedules", data: ListChange): void;
    emit(type: "schedule_fired", data: ScheduleFired): void;
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

/** Starts targets at their time: each schedule once on each of its dates, however the clock jumps. */
export function createSchedulesService(deps: SchedulesServiceDeps) {
  const { store, time, prayer, targets, playback, maxVolume, events, clock, log } = deps;
  const waiting = createTimer(clock);
  const ending = createTimer(clock);
  const listening = createTimer(clock);
  let stopListening: (() => void)[] = [];
  let checkedAtS: number | undefined;

  const nowS = (): number => Math.floor(time.now() / 1000);
  const almanac = (): Almanac => ({ zone: time.zone(), prayersOn: (date) => prayer.epochsOn(date) });

  function toBody({ handled, ...schedule }: Schedule): ScheduleBody {
    const next = schedule.enabled && time.isValid() ? nextRun({ ...schedule, handled }, nowS(), almanac()) : undefined;
    return { ...schedule, next_run: next?.epochS ?? null };
  }

  function get(id: string): Schedule {
    const schedule = ID.test(id) ? store.find(Number(id)) : undefined;
    if (!schedule) throw notFound("schedule", id);
    return schedule;
  }

  function emitChange(action: ListChange["action"], id: number): void {
    events.emit("schedules", { action, id, count: store.count() });
  }

  /** Past runs count as handled: a schedule begins with its next run. */
  function handledByNow(schedule: Parameters<typeof runsBetween>[0]): string[] {
    return handledWith(schedule.handled, runsBetween(schedule, nowS() - 2 * DAY_S, nowS(), almanac()));
  }

  function runDue(): void {
    waiting.cancel();
    if (!time.isValid()) {
      checkedAtS = undefined;
      return;
    }
    const now = nowS();
    // After a start the last check is unknown; runs of the past day are reported as missed.
    const from = Math.max(checkedAtS ?? now - DAY_S, now - DAY_S);
    checkedAtS = now;
    for (const schedule of store.list().filter(({ enabled }) => enabled)) {
      const { runs, missed } = findDue(schedule, from, now, almanac());
      for (const occurrence of missed) finish(schedule, [occurrence], "missed", null);
      if (runs) void fire(schedule, runs, missed);
    }
    plan();
  }

  function plan(): void {
    if (stopListening.length === 0 || !time.isValid()) return;
    // From the last check, not from now: runs that became due since then must not wait for the next one.
    const next = nextAfter(checkedAtS ?? nowS());
    const waitMs = next === undefined ? MAX_WAIT_MS : next * 1000 - time.now();
    waiting.set(Math.min(Math.max(waitMs, 0), MAX_WAIT_MS), runDue);
  }

  function nextAfter(epochS: number): number | undefined {
    const enabled = store.list().filter((schedule) => schedule.enabled);
    const runs = enabled.flatMap((schedule) => nextRun(schedule, epochS, almanac())?.epochS ?? []);
    return runs.length === 0 ? undefined : Math.min(...runs);
  }

  function finish(
    schedule: Schedule,
    occurrences: readonly Occurrence[],
    last_result: string,
    ranAt: number | null,
  ): void {
    const current = store.find(schedule.id);
    if (!current) return;
    const enabled = current.enabled && !(schedule.once && ranAt !== null);
    store.finish(schedule.id, { handled: handledWith(current.handled, occurrences), last_result, enabled, ranAt });
    events.emit("schedule_fired", { id: schedule.id, name: schedule.name, result: last_result });
  }

  async function fire(schedule: Schedule, occurrence: Occurrence, missed: readonly Occurrence[]): Promise<void> {
    // Save the run before it starts, so that it cannot run twice.
    const handled = handledWith(schedule.handled, [...missed, occurrence]);
    store.finish(schedule.id, { handled, last_result: "running", enabled: schedule.enabled, ranAt: nowS() });
    try {
      await start(schedule);
      finish(schedule, [occurrence], "ok", nowS());
    } catch (error) {
      log.warn({ err: error, schedule: schedule.id }, "schedule failed to start");
      finish(schedule, [occurrence], error instanceof Error ? error.message : "it could not start", nowS());
    }
  }

  async function start({ target, volume, fade_in_s, duration_min }: Schedule): Promise<void> {
    const wanted = volume === null ? undefined : Math.min(volume, maxVolume());
    await targets.run(target, { volume: wanted, fadeInS: fade_in_s, by: "clock" });
    const mine = playback.commands();
    const unlessReplaced = (work: () => void) => () => {
      if (playback.commands() === mine) work();
    };
    listening.set(
      SILENT_STREAM_MS,
      unlessReplaced(() => {
        if (playback.isSilentStream()) void playback.playTone();
      }),
    );
    if (duration_min > 0)
      ending.set(
        duration_min * 60_000,
        unlessReplaced(() => playback.stopRecitation()),
      );
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
    return { ...schedule, handled: time.isValid() ? handledByNow(schedule) : [] };
  }

  function reload(): void {
    emitChange("replaced", 0);
    plan();
  }

  return {
    list: (): ScheduleBody[] => store.list().map(toBody),

    async add(request: CreateScheduleRequest): Promise<ScheduleBody> {
      const { name = "", volume = null, fade_in_s = 0, duration_min = 0, once = false, days } = request;
      if (/\p{Cc}/u.test(name))
        throw invalidField("name", "must not contain control characters", { code: "characters_forbidden" });
      const when = parseWhen(request);
      const target = parseTarget(request.target);
      await targets.check("target", target);
      if (store.count() >= MAX_SCHEDULES) {
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
      const id = store.insert({ ...schedule, handled: time.isValid() ? handledByNow(schedule) : [] });
      emitChange("added", id);
      plan();
      return toBody(get(String(id)));
    },

    remove(id: string): void {
      store.remove(get(id).id);
      emitChange("removed", Number(id));
      plan();
    },

    enable(id: string, enabled: boolean): ScheduleBody {
      const schedule = get(id);
      const isWoken = enabled && !schedule.enabled && time.isValid();
      store.enable(schedule.id, enabled, isWoken ? handledByNow(schedule) : schedule.handled);
      emitChange("added", schedule.id);
      plan();
      return toBody(get(id));
    },

    backup: listPart({
      name: "schedules",
      Item: KeptSchedule,
      maxItems: MAX_SCHEDULES,
      list: () => store.list().map(toKept),
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

function toKept({ handled: _handled, last_run: _ran, last_result: _result, ...kept }: Schedule): KeptSchedule {
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
