import type { ListChange } from "./favorites/favorites.schema.ts";
import type { LibraryChange } from "./library/library.schema.ts";
import type { OtaBody } from "./ota/ota.schema.ts";
import type { ErrorCode } from "./playback/errors.ts";
import type { HifzBody, ModeBody, PlaybackStatus } from "./playback/playback.schema.ts";
import type { BatteryBody, SystemChange } from "./power/power.schema.ts";
import type { AdhanChange } from "./prayer/adhan.schema.ts";
import type { PrayerBody } from "./prayer/prayer.schema.ts";
import type { CardsChange, ScanBody } from "./rfid/cards.schema.ts";
import type { ScheduleFired } from "./schedules/schedules.schema.ts";
import type { SettingsBody } from "./settings/settings.schema.ts";
import type { UploadsChange } from "./uploads/uploads.schema.ts";

/** Every event that the service sends to its clients, by name. The socket forwards each of them unchanged. */
export interface PlayerEvents {
  playback: PlaybackStatus;
  position: { position: number; duration: number };
  volume: { volume: number };
  mode: ModeBody;
  hifz: HifzBody & { phase: "playing" | "gap" | "done" };
  metadata: { title: string };
  favorites: ListChange;
  stations: ListChange;
  schedules: ListChange;
  schedule_fired: ScheduleFired;
  cards: CardsChange;
  nfc: ScanBody;
  prayer: PrayerBody;
  adhan: AdhanChange;
  settings: SettingsBody;
  battery: BatteryBody;
  system: SystemChange;
  ota: OtaBody;
  library: LibraryChange;
  uploads: UploadsChange;
  error: { code: ErrorCode; message: string };
}

/** Any event of the map; its type determines the shape of its data. */
export interface PlayerEvent {
  type: keyof PlayerEvents;
  data: PlayerEvents[keyof PlayerEvents];
}

export interface Events {
  emit<Type extends keyof PlayerEvents>(type: Type, data: PlayerEvents[Type]): void;
  /** Calls back for every event, in order of occurrence. Returns the function that stops listening. */
  onEvent(listener: (event: PlayerEvent) => void): () => void;
}

export function createEvents(): Events {
  const listeners = new Set<(event: PlayerEvent) => void>();
  return {
    emit(type, data) {
      for (const listener of listeners) listener({ type, data });
    },
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
