import { createContext, type ReactNode, use, useEffect, useMemo, useState } from "react";
import { readStored, writeStored } from "../browser/browser-storage.ts";
import { every, now } from "../browser/clock.ts";
import type { Language } from "../language/language.ts";
import { useLanguage } from "../language/language-context.tsx";
import { DATE_LOCALES } from "../language/locales.ts";
import { durationWords, relativeWords } from "./time-words.ts";
import { browserZone, UTC, type Zone, zoneLabel } from "./zone.ts";

const SECOND_MS = 1000;

/** The current time, updated every period. */
export function useNow(periodMs = SECOND_MS): Date {
  const [time, setTime] = useState(now);
  useEffect(() => every(periodMs, () => setTime(now())), [periodMs]);
  return time;
}

/** An instant: a Date, ISO text from the service, or milliseconds since 1970. */
export type Instant = Date | string | number;

export interface Time {
  zone: Zone;
  /** `UTC`, or `Cairo +02:00`. */
  zoneLabel: string;
  /** Switches between UTC and the zone of the browser. */
  toggleZone: () => void;
  /** `19:41:08` */
  time: (at: Instant) => string;
  /** `17 Nov 2026, 19:41:08` */
  dateTime: (at: Instant) => string;
  /** `17 Nov 2026` */
  day: (at: Instant) => string;
  /** `4 s ago`, relative to the time of the call. */
  relative: (at: Instant) => string;
  /** `41 min` */
  duration: (ms: number) => string;
  /** ISO 8601 in UTC, for copying. */
  iso: (at: Instant) => string;
}

const STORAGE_KEY = "zone";
const TimeContext = createContext<Time | undefined>(undefined);

/** Provides the chosen time zone. Needs a LanguageProvider around it. */
export function TimeProvider({ children }: { children: ReactNode }) {
  const { language } = useLanguage();
  const [isUtc, setIsUtc] = useState(() => readStored(STORAGE_KEY) !== "browser");
  const time = useMemo(() => {
    const toggleZone = () => {
      setIsUtc(!isUtc);
      writeStored(STORAGE_KEY, isUtc ? "browser" : "utc");
    };
    return { ...createTime(isUtc ? UTC : browserZone(), language), toggleZone };
  }, [isUtc, language]);
  return <TimeContext value={time}>{children}</TimeContext>;
}

function createTime(zone: Zone, language: Language): Omit<Time, "toggleZone"> {
  const clock = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" } as const;
  const calendar = { year: "numeric", month: "short", day: "numeric" } as const;
  const createFormat = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(DATE_LOCALES[language], { ...options, timeZone: zone });
  const [time, dateTime, day] = [createFormat(clock), createFormat({ ...calendar, ...clock }), createFormat(calendar)];
  return {
    zone,
    zoneLabel: zoneLabel(zone, now()),
    time: (at) => time.format(toDate(at)),
    dateTime: (at) => dateTime.format(toDate(at)),
    day: (at) => day.format(toDate(at)),
    relative: (at) => relativeWords(toDate(at), now(), language),
    duration: (ms) => durationWords(ms, language),
    iso: (at) => toDate(at).toISOString(),
  };
}

function toDate(at: Instant): Date {
  return at instanceof Date ? at : new Date(at);
}

export function useTime(): Time {
  const time = use(TimeContext);
  if (!time) throw new Error("useTime needs a TimeProvider");
  return time;
}
