import type { ScanBody } from "@player/service/contract/cards";
import { type ErrorCode, errorAfterEvent, errorAfterStatus, type KeptError } from "@player/service/contract/errors";
import type { FavoriteBody } from "@player/service/contract/favorites";
import type { LibraryChange, RecitersBody } from "@player/service/contract/library";
import type { OtaBody } from "@player/service/contract/ota";
import type { PlaybackStatus } from "@player/service/contract/playback";
import type { BatteryBody } from "@player/service/contract/power";
import type { PrayerBody } from "@player/service/contract/prayer";
import type { ScheduleBody } from "@player/service/contract/schedules";
import type { SettingsBody } from "@player/service/contract/settings";
import type { StationBody } from "@player/service/contract/stations";
import type { SystemBody } from "@player/service/contract/system";
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { ApiClient } from "../api/api-client.ts";
import { readSystem } from "../api/read-system.ts";
import { openConnection, type Presence } from "./connection.ts";
import type { Frame, FrameData } from "./frame.ts";
import { createOptimistic, type Optimistic } from "./optimistic.ts";
import { createResource, type Resource } from "./resource.ts";
import { type UpcomingChanges, upcomingChangesAfter } from "./upcoming-changes.ts";

export interface LiveDeps {
  api: Pick<ApiClient, "get">;
  openSocket: () => Pick<WebSocket, "addEventListener" | "close" | "send">;
  after: (delayMs: number, task: () => void) => () => void;
  nowMs: () => number;
}

/** The device's state as it reports it. Pages read these signals and never request the state themselves. */
export interface Live {
  presence: ReadonlySignal<Presence>;
  tryNow: () => void;
  close: () => void;
  version: ReadonlySignal<string>;
  /** Changes when the device was restarted. */
  bootId: ReadonlySignal<string>;
  playback: Optimistic<PlaybackStatus>;
  /** When `playback.truth.position` was measured, on this browser's clock. */
  positionAtMs: ReadonlySignal<number>;
  prayer: ReadonlySignal<PrayerBody | undefined>;
  battery: ReadonlySignal<BatteryBody | undefined>;
  ota: ReadonlySignal<OtaBody | undefined>;
  settings: Optimistic<SettingsBody>;
  /** The last reported change of the card; undefined until the first one. */
  library: ReadonlySignal<LibraryChange | undefined>;
  lastTap: ReadonlySignal<ScanBody | undefined>;
  announced: ReadonlySignal<UpcomingChanges>;
  /** The last error about playback, until something else plays. */
  error: ReadonlySignal<ErrorCode | undefined>;
  system: Resource<SystemBody>;
  favorites: Resource<FavoriteBody[]>;
  stations: Resource<StationBody[]>;
  schedules: Resource<ScheduleBody[]>;
  reciters: Resource<RecitersBody>;
  /**
   * Incremented with every change of the cards. They need the token, so a page that shows them has its own resource.
   */
  cardsRevision: ReadonlySignal<number>;
  /** Incremented with every change of the unfinished uploads, or of the card that contains them. */
  uploadsRevision: ReadonlySignal<unknown>;
  /** The device's clock now, in epoch milliseconds. */
  deviceNowMs: () => number;
  /** Calls back for every frame. Returns the function that stops listening. */
  onFrame: (listener: (frame: Frame) => void) => () => void;
}

export function createLive({ api, openSocket, after, nowMs }: LiveDeps): Live {
  const version = signal("");
  const bootId = signal("");
  const playback = createOptimistic<PlaybackStatus>();
  const settings = createOptimistic<SettingsBody>();
  const positionAtMs = signal(nowMs());
  const prayer = signal<PrayerBody | undefined>(undefined);
  const battery = signal<BatteryBody | undefined>(undefined);
  const ota = signal<OtaBody | undefined>(undefined);
  const library = signal<LibraryChange | undefined>(undefined);
  const lastTap = signal<ScanBody | undefined>(undefined);
  const announced = signal<UpcomingChanges>({});
  const keptError = signal<KeptError | undefined>(undefined);
  const connections = signal(0);
  const revisions = {
    favorites: signal(0),
    stations: signal(0),
    schedules: signal(0),
    cards: signal(0),
    uploads: signal(0),
  };
  const listeners = new Set<(frame: Frame) => void>();
  let aheadMs = 0;

  function change(part: Partial<PlaybackStatus>): void {
    if (playback.truth.value) playback.report({ ...playback.truth.value, ...part }, Object.keys(part));
  }

  function changeMode({ mode, hifz }: FrameData["mode"]): void {
    if (!playback.truth.value) return;
    const { hifz: _former, ...rest } = playback.truth.value;
    playback.report({ ...rest, advance_mode: mode, ...(hifz && { hifz }) }, ["advance_mode", "hifz"]);
  }

  function changeHifz({ phase: _phase, ...hifz }: FrameData["hifz"]): void {
    change({ hifz });
  }

  function begin({ version: running, boot_id, ...hello }: FrameData["hello"]): void {
    version.value = running;
    bootId.value = boot_id;
    positionAtMs.value = nowMs();
    playback.report(hello.playback);
    prayer.value = hello.prayer;
    battery.value = hello.battery;
    ota.value = hello.ota;
    settings.report(hello.settings);
    keptError.value = hello.error ? errorAfterEvent(undefined, hello.error, hello.playback) : undefined;
    connections.value += 1;
  }

  function keepError(code: ErrorCode): void {
    if (playback.truth.value) keptError.value = errorAfterEvent(keptError.value, code, playback.truth.value);
  }

  function heed(frame: Frame): void {
    switch (frame.type) {
      case "hello":
        begin(frame.data);
        break;
      case "playback":
        positionAtMs.value = nowMs();
        playback.report(frame.data);
        keptError.value = errorAfterStatus(keptError.value, frame.data);
        break;
      case "position":
        positionAtMs.value = nowMs();
        change(frame.data);
        break;
      case "metadata":
      case "volume":
        change(frame.data);
        break;
      case "mode":
        changeMode(frame.data);
        break;
      case "hifz":
        changeHifz(frame.data);
        break;
      case "prayer":
        prayer.value = frame.data;
        break;
      case "battery":
        battery.value = frame.data;
        break;
      case "ota":
        ota.value = frame.data;
        break;
      case "settings":
        settings.report(frame.data);
        break;
      case "library":
        library.value = frame.data;
        break;
      case "nfc":
        lastTap.value = frame.data;
        break;
      case "favorites":
      case "stations":
      case "schedules":
      case "cards":
      case "uploads":
        revisions[frame.type].value += 1;
        break;
      case "error":
        keepError(frame.data.code);
        break;
      case "schedule_fired":
      case "adhan":
      case "system":
        // Only for frame listeners.
        break;
      default:
        // A newer device may send frames that this page does not know.
        frame satisfies never;
    }
  }

  function onFrame(frame: Frame): void {
    aheadMs = frame.ts - nowMs();
    announced.value = upcomingChangesAfter(announced.value, frame);
    heed(frame);
    for (const listener of listeners) listener(frame);
  }

  const { presence, tryNow, close } = openConnection({ open: openSocket, after, onFrame });
  // Load lists again after a reconnect: events in between were missed.
  const since = (revision: ReadonlySignal<unknown>) =>
    computed(() => ({ connection: connections.value, change: revision.value }));
  const error = computed(() => keptError.value?.code);
  const isPlaying = computed(() => playback.truth.value?.state === "playing");

  return {
    presence,
    tryNow,
    close,
    version,
    bootId,
    playback,
    positionAtMs,
    prayer,
    battery,
    ota,
    settings,
    library,
    lastTap,
    announced,
    error,
    // Playback or an audio failure shows whether the sound output works.
    system: createResource(() => readSystem(api), since(computed(() => `${isPlaying.value} ${error.value}`))),
    favorites: createResource(
      async () => (await api.get<{ favorites: FavoriteBody[] }>("/favorites")).favorites,
      since(revisions.favorites),
    ),
    stations: createResource(
      async () => (await api.get<{ stations: StationBody[] }>("/radio/stations")).stations,
      since(revisions.stations),
    ),
    schedules: createResource(
      async () => (await api.get<{ schedules: ScheduleBody[] }>("/schedules")).schedules,
      // The next run of a schedule at a prayer depends on the prayer times.
      since(computed(() => [revisions.schedules.value, prayer.value?.date, prayer.value?.config])),
    ),
    reciters: createResource(() => api.get<RecitersBody>("/library/reciters"), since(library)),
    cardsRevision: computed(() => connections.value + revisions.cards.value),
    uploadsRevision: since(computed(() => [revisions.uploads.value, library.value?.card])),
    deviceNowMs: () => nowMs() + aheadMs,
    onFrame(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
