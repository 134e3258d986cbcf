import { SURAH_NAMES, SURAH_NAMES_AR } from "../library/surah-names.ts";
import type { Pairing } from "../pairing/pairing.service.ts";
import type { HoldProgress } from "../pairing/press.ts";
import type { PlaybackStatus } from "../playback/playback.schema.ts";
import type { AdhanChange } from "../prayer/adhan.schema.ts";
import { PRAYERS } from "../prayer/prayer.schema.ts";
import type {
  AdhanModel,
  BufferingModel,
  CardModel,
  CertificateModel,
  FailuresModel,
  Heading,
  HifzModel,
  IdleModel,
  NowPlayingModel,
  Progress,
  ResetModel,
  ScreenModel,
  SetupModel,
  UpdateModel,
} from "./screen-model.ts";
import { formatClockText, formatDate, formatDuration, formatNumber, formatWait, type WallTime } from "./wording.ts";
import { ADHAN_AR, type Language, PRAYERS_AR, WORDS } from "./words.ts";

/** The state of the service at one moment, with the names of the API bodies. */
export interface ScreenInputs {
  /** Epoch milliseconds. */
  now: number;
  clock_ok: boolean;
  /** The wall clock at an instant in epoch seconds. */
  toWallTime: (epochS: number) => WallTime;
  settings: { language: Language; time_format_24h: boolean };
  playback: PlaybackStatus;
  /** The owner's name of the current stream; "" when it has none. */
  stream_name: string;
  prayer: {
    epochs: readonly number[] | null;
    /** Sunrise is no prayer, so the next one is never Sunrise. */
    extra: { next_prayer: { index: number; epoch: number } | null };
    hijri: { day: number; year: number; month_name: string; month_name_ar: string };
  };
  /** The adhan that is playing now. */
  adhan: AdhanChange["prayer"] | undefined;
  /** The last tap, and the name of the card if it is registered. */
  card: { uid: string; age_ms: number; name?: string | undefined };
  ota: { in_progress: boolean; progress: number; status: string };
  /** The device's own network while it is open, and the dashboard's address in it. */
  access_point: { ssid: string; url: string } | undefined;
  /** Whether the owner has set the device up before. */
  is_set_up: boolean;
  /** The fingerprint of the device's authority, after a person has asked for its certificate; 64 hex digits. */
  fingerprint: string | undefined;
  pairing: Pairing | undefined;
  /** A held key will erase everything if it is released too late. */
  hold: HoldProgress | undefined;
  boot_failures: readonly { component: string; error: string }[];
  /** Milliseconds since the screen was switched on. */
  age_ms: number;
}

const CARD_MS = 5000;
const FAILURES_MS = 30_000;
const MAX_FAILURES = 3;
const SUNRISE = PRAYERS.indexOf("sunrise");
const PRAYERS_OF_ADHAN: readonly string[] = PRAYERS;

/** Chooses the most urgent screen. */
export function chooseScreen(inputs: ScreenInputs): ScreenModel {
  return (
    buildUpdate(inputs) ??
    buildReset(inputs) ??
    buildOpenPairing(inputs) ??
    (inputs.is_set_up ? undefined : buildAccessPoint(inputs)) ??
    buildFailures(inputs) ??
    buildAdhan(inputs) ??
    buildCard(inputs) ??
    buildCertificate(inputs) ??
    buildBuffering(inputs) ??
    buildHifz(inputs) ??
    buildNowPlaying(inputs) ??
    // A lost network must not cover what plays.
    buildAccessPoint(inputs) ??
    buildPairing(inputs) ??
    buildIdle(inputs)
  );
}

function buildUpdate({ ota, settings: { language } }: ScreenInputs): UpdateModel | undefined {
  if (!ota.in_progress) return undefined;
  const { updating, update } = WORDS[language];
  const percentage = `${formatNumber(language, ota.progress)}${language === "ar" ? "٪" : "%"}`;
  return { screen: "update", language, progress: ota.progress, percentage, phase: updating[ota.status] ?? update };
}

function buildReset({ hold, settings: { language } }: ScreenInputs): ResetModel | undefined {
  if (!hold) return undefined;
  const { eraseSoon, keepHolding, eraseNow, letGo, second } = WORDS[language];
  const left = `${formatNumber(language, hold.left_s)} ${second}`;
  return hold.phase === "warning"
    ? { screen: "reset", language, title: eraseSoon, left, detail: keepHolding }
    : { screen: "reset", language, title: eraseNow, left: "", detail: letGo };
}

/** A phone that is not in a network yet joins the device's own network first. */
function buildOpenPairing(inputs: ScreenInputs): SetupModel | undefined {
  return inputs.pairing?.open && (buildAccessPoint(inputs) ?? buildPairing(inputs));
}

/** Until the first person has paired, the QR code is shown whenever nothing else is. */
function buildPairing(inputs: ScreenInputs): SetupModel | undefined {
  const { pairing, settings } = inputs;
  if (!pairing) return undefined;
  const { language } = settings;
  const { url, open } = pairing;
  const left = open ? WORDS[language].left(formatWait(language, Math.ceil(open.left_s / 60) * 60)) : "";
  return { screen: "setup", language, how: { by: "pairing", url, code: formatCode(inputs), left } };
}

/** Two groups of three, which are easier to read and remember; "" while pairing is closed. */
function formatCode({ pairing, settings: { language } }: ScreenInputs): string {
  return formatNumber(language, (pairing?.open?.code ?? "").replace(/^(...)(...)$/, "$1 $2"));
}

function buildAccessPoint(inputs: ScreenInputs): SetupModel | undefined {
  const { access_point, pairing, settings } = inputs;
  if (!access_point) return undefined;
  const { ssid, url } = access_point;
  // The form that the cameras of phones read; these characters have a meaning in it.
  const wifi = `WIFI:T:nopass;S:${ssid.replace(/[\\;,":]/g, "\\$&")};;`;
  const link = pairing ? `${url}${new URL(pairing.url).hash}` : url;
  const how = { by: "access_point", ssid, wifi, url, link, code: formatCode(inputs) } as const;
  return { screen: "setup", language: settings.language, how };
}

function buildCertificate(inputs: ScreenInputs): CertificateModel | undefined {
  const { fingerprint, settings } = inputs;
  if (fingerprint === undefined) return undefined;
  const bytes = fingerprint.toUpperCase().match(/../g) ?? [];
  const lines = [0, 8, 16, 24].map((from) => bytes.slice(from, from + 8).join(" "));
  return { screen: "certificate", language: settings.language, clock: formatClock(inputs), lines };
}

function buildFailures({ boot_failures, age_ms, settings: { language } }: ScreenInputs): FailuresModel | undefined {
  if (boot_failures.length === 0 || age_ms >= FAILURES_MS) return undefined;
  const failures = boot_failures.slice(0, MAX_FAILURES).map(({ component, error }) => ({
    component,
    // The message begins with the component's name, which is already shown above it.
    error: error.startsWith(`${component}: `) ? error.slice(component.length + 2) : error,
  }));
  const rest = boot_failures.length - failures.length;
  const more = rest > 0 ? WORDS[language].more(formatNumber(language, rest)) : "";
  return { screen: "failures", language, failures, more };
}

function buildAdhan(inputs: ScreenInputs): AdhanModel | undefined {
  if (!inputs.adhan) return undefined;
  const { language } = inputs.settings;
  const { timeToPray, test } = WORDS[language];
  const prayer = PRAYERS_OF_ADHAN.indexOf(inputs.adhan);
  return {
    screen: "adhan",
    language,
    clock: formatClock(inputs),
    intro: inputs.adhan === "test" ? test : timeToPray,
    title: PRAYERS_AR[prayer] ?? ADHAN_AR,
    caption: language === "en" ? (WORDS.en.prayers[prayer] ?? WORDS.en.adhan) : "",
  };
}

function buildCard(inputs: ScreenInputs): CardModel | undefined {
  const { uid, age_ms, name = "" } = inputs.card;
  if (uid === "" || age_ms < 0 || age_ms >= CARD_MS) return undefined;
  const bytes = uid.match(/../g) ?? [];
  return { screen: "card", language: inputs.settings.language, clock: formatClock(inputs), name, uid: bytes.join(" ") };
}

function buildBuffering(inputs: ScreenInputs): BufferingModel | undefined {
  const { playback, settings } = inputs;
  if (playback.state !== "buffering") return undefined;
  const { language } = settings;
  const { nextTry, connecting } = WORDS[language];
  const heading = buildHeading(inputs);
  const waiting = playback.mode === "stream" ? connecting : heading.detail;
  const detail = playback.retry_in_s === null ? waiting : nextTry(formatWait(language, playback.retry_in_s));
  return { screen: "buffering", language, clock: formatClock(inputs), heading: { ...heading, detail } };
}

function buildHifz(inputs: ScreenInputs): HifzModel | undefined {
  const { playback, settings } = inputs;
  const { hifz, state } = playback;
  if (!hifz || state === "stopped" || playback.mode !== "file") return undefined;
  const { language } = settings;
  const { of, yourTurn, second } = WORDS[language];
  const isEndless = hifz.repeat_target === 0;
  const playThrough = hifz.waiting ? 0 : playedPermille(playback);
  const isRange = hifz.ab_start !== undefined && hifz.ab_end !== undefined;
  return {
    screen: "hifz",
    language,
    clock: formatClock(inputs),
    heading: buildHeading(inputs),
    progress: buildProgress(inputs),
    permille: isEndless
      ? playThrough
      : Math.min(1000, Math.round((hifz.repeat_done * 1000 + playThrough) / hifz.repeat_target)),
    done: formatNumber(language, hifz.repeat_done),
    target: of(isEndless ? "∞" : formatNumber(language, hifz.repeat_target)),
    range: isRange ? formatNumber(language, `${hifz.ab_start} – ${hifz.ab_end}`) : "",
    gap: hifz.waiting ? `${yourTurn} · ${formatNumber(language, hifz.gap_left_s ?? 0)} ${second}` : "",
  };
}

function buildNowPlaying(inputs: ScreenInputs): NowPlayingModel | undefined {
  const { playback, settings } = inputs;
  if (playback.state === "stopped" || playback.mode === "idle") return undefined;
  const sounding = playback.mode === "stream" ? "live" : "playing";
  return {
    screen: "now_playing",
    language: settings.language,
    clock: formatClock(inputs),
    state: playback.state === "paused" ? "paused" : sounding,
    heading: buildHeading(inputs),
    progress: buildProgress(inputs),
  };
}

function buildIdle(inputs: ScreenInputs): IdleModel {
  const { clock_ok, now, toWallTime, settings } = inputs;
  const { language, time_format_24h } = settings;
  const { clockNotSet, noLocation } = WORDS[language];
  if (!clock_ok) {
    return {
      screen: "idle",
      language,
      clock: undefined,
      date: "",
      hijri: "",
      next: undefined,
      hint: clockNotSet,
      times: [],
    };
  }
  const wallTime = toWallTime(Math.floor(now / 1000));
  const next = findNextPrayer(inputs);
  return {
    screen: "idle",
    language,
    clock: formatClockText(language, wallTime, time_format_24h),
    date: formatDate(language, wallTime),
    hijri: formatHijri(inputs),
    next,
    hint: next ? "" : noLocation,
    times: listPrayerTimes(inputs),
  };
}

function findNextPrayer({ prayer, now, toWallTime, settings }: ScreenInputs): IdleModel["next"] {
  if (!prayer.extra.next_prayer) return undefined;
  const { language, time_format_24h } = settings;
  const { index, epoch } = prayer.extra.next_prayer;
  const words = WORDS[language];
  const { time, suffix } = formatClockText(language, toWallTime(epoch), time_format_24h);
  return {
    name: words.prayers[index] ?? "",
    time: `${time} ${suffix}`.trim(),
    countdown: words.in(formatWait(language, epoch - now / 1000)),
  };
}

function listPrayerTimes({ prayer, toWallTime, settings }: ScreenInputs): IdleModel["times"] {
  const { language, time_format_24h } = settings;
  const times = (prayer.epochs ?? []).map((epoch, index) => ({
    index,
    name: WORDS[language].prayers[index] ?? "",
    time: formatClockText(language, toWallTime(epoch), time_format_24h).time,
    isNext: prayer.extra.next_prayer?.epoch === epoch,
  }));
  return times.filter(({ index }) => index !== SUNRISE).map(({ name, time, isNext }) => ({ name, time, isNext }));
}

function formatHijri({ prayer: { hijri }, settings: { language } }: ScreenInputs): string {
  const month = language === "ar" ? hijri.month_name_ar : hijri.month_name;
  return `${formatNumber(language, hijri.day)} ${month} ${formatNumber(language, hijri.year)}`;
}

/** The small clock in a corner; "" while the time is unknown. */
function formatClock({ now, clock_ok, toWallTime, settings }: ScreenInputs): string {
  if (!clock_ok) return "";
  return formatClockText(settings.language, toWallTime(Math.floor(now / 1000)), settings.time_format_24h).time;
}

function buildHeading({ playback, stream_name, settings: { language } }: ScreenInputs): Heading {
  const { surah_number, reciter, track, title, source } = playback;
  const name = SURAH_NAMES_AR[surah_number - 1];
  if (name !== undefined) {
    const caption = WORDS[language].surah(formatNumber(language, surah_number), SURAH_NAMES[surah_number - 1] ?? "");
    return { title: name, caption, detail: reciter };
  }
  if (playback.mode === "file" || track !== "") return { title: fileNameOf(track), caption: "", detail: reciter };
  const named = stream_name || (source?.type === "stream" ? source.name : "");
  const host = source?.type === "stream" ? hostOf(source.url) : "";
  const [first = WORDS[language].radio, second = ""] = [named, title, host].filter((text) => text !== "");
  return { title: first, caption: "", detail: named && !title ? "" : second };
}

function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.[^.]+$/, "");
}

/** A URL may contain a key; its host does not. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : "";
}

function playedPermille({ position, duration }: PlaybackStatus): number {
  return duration > 0 ? Math.min(1000, Math.round((position * 1000) / duration)) : 0;
}

function buildProgress({ playback, settings: { language } }: ScreenInputs): Progress | undefined {
  const { position, duration } = playback;
  if (duration === 0) return undefined;
  return {
    permille: playedPermille(playback),
    position: formatDuration(language, position),
    duration: formatDuration(language, duration),
  };
}
