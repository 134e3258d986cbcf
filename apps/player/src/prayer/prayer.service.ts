import type { Clock } from "@kit/clock";
import { createTimer } from "@kit/clock/timer";
import type { Log } from "@kit/log";
import { invalidField, Problem } from "@kit/problem";
import type { LibraryService } from "../library/library.service.ts";
import { backupPart, below } from "../storage/backup-part.ts";
import type { TimeService } from "../time/time.service.ts";
import type { PrayerDay } from "./adhan.ts";
import type { CalledAdhansService } from "./adhan-log.service.ts";
import { type PrayerBody, type PrayerConfig, PrayerConfigRequest, type PrayerMonthBody } from "./prayer.schema.ts";
import { buildBody, buildMonth, daysIn, epochsOn, type Outlook } from "./prayer-body.ts";
import { checkRequest, DEFAULT_CONFIG, mergeConfig, parseConfig } from "./prayer-config.ts";

export interface PrayerServiceDeps {
  store: {
    find(name: string): string | undefined;
    save(values: Readonly<Record<string, unknown>>): void;
    replaceAll(names: readonly string[], values: Readonly<Record<string, unknown>>): void;
  };
  time: Pick<TimeService, "now" | "isValid" | "zone" | "today" | "onChange">;
  settings: { get(): Outlook["settings"]; onChange(listener: () => void): () => void };
  library: Pick<LibraryService, "resolve" | "onCard">;
  called: Pick<CalledAdhansService, "has">;
  /**
   * The path relative to the card, whether the file exists or not. Refuses a path that cannot be on the card ("path:
   * …").
   */
  resolvePath: (path: string) => Promise<string>;
  events: { emit(type: "prayer", data: PrayerBody): void };
  clock: Pick<Clock, "sleep">;
  log: Pick<Log, "warn">;
}
export type PrayerService = ReturnType<typeof createPrayerService>;

const SETTING = "prayer";
const DAY_MS = 86_400_000;
/** A change of daylight saving time makes a day longer or shorter; its end is noticed after this time at the latest. */
const MAX_WAIT_MS = 60_000;
const MONTH = /^20\d\d-(0[1-9]|1[0-2])$/;

/**
 * Prayer times for the location and rules of the owner. They are computed for every answer, so they are never outdated.
 */
export function createPrayerService(deps: PrayerServiceDeps) {
  const { store, time, settings, library, called, resolvePath, events, clock, log } = deps;
  const listeners = new Set<() => void>();
  const timer = createTimer(clock);
  let stopListening: (() => void)[] = [];
  let config = readConfig();
  /** Whether the files of the configuration exist on the card. */
  let has = { path: true, fajr_path: true };
  let known = settingsNow();

  function readConfig(): PrayerConfig {
    const text = store.find(SETTING);
    if (text === undefined) return DEFAULT_CONFIG;
    const stored = parseConfig(text);
    if (!stored) log.warn({ setting: SETTING }, "stored setting is invalid, using its default");
    return stored ?? DEFAULT_CONFIG;
  }

  function settingsNow(): Outlook["settings"] {
    const { high_latitude, hijri_adjust } = settings.get();
    return { high_latitude, hijri_adjust };
  }

  function outlook(): Outlook {
    return {
      nowMs: time.now(),
      clock_ok: time.isValid(),
      zone: time.zone(),
      today: time.today(),
      config,
      settings: settingsNow(),
      has,
      hasCalled: called.has,
    };
  }

  function reload(): void {
    config = readConfig();
    notifyListeners();
  }

  const body = (): PrayerBody => buildBody(outlook());

  function notifyListeners(): void {
    plan();
    events.emit("prayer", body());
    for (const listener of listeners) listener();
  }

  /** Waits for the next prayer or the next date, whichever comes first. */
  function plan(): void {
    if (stopListening.length === 0) return;
    const { date, next } = body();
    const untilNextMs = next ? next.epoch * 1000 - time.now() : DAY_MS;
    timer.set(Math.min(untilNextMs, untilMidnightMs(), MAX_WAIT_MS), () => {
      const after = body();
      if (after.date === date && after.next?.epoch === next?.epoch) plan();
      else notifyListeners();
    });
  }

  function untilMidnightMs(): number {
    const nowMs = time.now();
    const wallMs = nowMs + time.zone().offsetAt(nowMs / 1000) * 1000;
    return DAY_MS - (((wallMs % DAY_MS) + DAY_MS) % DAY_MS);
  }

  function settingsChanged(): void {
    const { high_latitude, hijri_adjust } = settingsNow();
    if (high_latitude === known.high_latitude && hijri_adjust === known.hijri_adjust) return;
    known = { high_latitude, hijri_adjust };
    notifyListeners();
  }

  /** Returns whether the adhan files on the card changed. */
  async function checkFiles(): Promise<boolean> {
    const { path, fajr_path } = config.adhan;
    const before = has;
    has = { path: await exists(path), fajr_path: await exists(fajr_path) };
    return has.path !== before.path || has.fajr_path !== before.fajr_path;
  }

  async function checkCard(): Promise<void> {
    if (await checkFiles()) notifyListeners();
  }

  async function exists(path: string): Promise<boolean> {
    if (path === "") return true;
    try {
      await library.resolve(path);
      return true;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return false;
    }
  }

  /** The request with its paths in the form for clients. */
  async function withPaths({ adhan, ...request }: PrayerConfigRequest): Promise<PrayerConfigRequest> {
    if (!adhan) return request;
    const { path, fajr_path, ...rest } = adhan;
    return {
      ...request,
      adhan: {
        ...rest,
        ...(path !== undefined && { path: await checkPath("adhan.path", path) }),
        ...(fajr_path !== undefined && { fajr_path: await checkPath("adhan.fajr_path", fajr_path) }),
      },
    };
  }

  async function checkPath(field: string, path: string): Promise<string> {
    if (path === "") return "";
    try {
      const resolved = await resolvePath(path);
      if (resolved === "") throw invalidField("path", "must be the path of a file");
      return resolved;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      throw new Problem(error.kind, error.message.replace(/^path/, field), { field, code: error.code, cause: error });
    }
  }

  return {
    /** Starts to notify at every prayer time and at every new date. */
    start(): void {
      if (stopListening.length > 0) return;
      stopListening = [
        time.onChange(notifyListeners),
        settings.onChange(settingsChanged),
        library.onCard(() => void checkCard()),
      ];
      plan();
      void checkCard();
    },

    close(): void {
      timer.cancel();
      for (const stop of stopListening) stop();
      stopListening = [];
    },

    config: (): PrayerConfig => config,

    /** The times around now; undefined without a location. */
    days(): Record<"yesterday" | "today" | "tomorrow", PrayerDay> | undefined {
      return daysIn(outlook());
    },

    /** The six times of any date; undefined without a location. */
    epochsOn: (date: string): readonly number[] | undefined => epochsOn(outlook(), date),

    body,

    /** The same, after checking the files on the card. */
    async get(): Promise<PrayerBody> {
      await checkCard();
      return body();
    },

    month(month: string): PrayerMonthBody {
      if (!MONTH.test(month)) throw invalidField("month", "must be a month such as 2026-11, from 2000 to 2099");
      return buildMonth(outlook(), month);
    },

    /** Merges the request into the stored configuration, and saves it before it takes effect. */
    async configure(request: PrayerConfigRequest): Promise<PrayerBody> {
      checkRequest(request);
      const checked = await withPaths(request);
      const changed = mergeConfig(config, checked);
      store.save({ [SETTING]: changed });
      config = changed;
      await checkFiles();
      notifyListeners();
      return body();
    },

    backup: backupPart({
      name: "prayer",
      Kept: PrayerConfigRequest,
      read: () => config,
      check: (kept) => below("prayer", () => checkRequest(kept)),
      replace: (kept) => store.replaceAll([SETTING], { [SETTING]: mergeConfig(DEFAULT_CONFIG, kept) }),
      reload,
    }),

    /** Reads everything again, after a backup or a reset changed the store. */
    reload,

    /** Calls back when the times may have changed, a prayer's time has come, or a new date begins. */
    onChange(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
