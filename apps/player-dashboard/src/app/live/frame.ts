import type { AdhanChange } from "@player/service/contract/adhan";
import type { CardsChange, ScanBody } from "@player/service/contract/cards";
import type { ErrorCode } from "@player/service/contract/errors";
import type { ListChange } from "@player/service/contract/favorites";
import type { LibraryChange } from "@player/service/contract/library";
import type { OtaBody } from "@player/service/contract/ota";
import type { HifzBody, ModeBody, PlaybackStatus } from "@player/service/contract/playback";
import type { BatteryBody, SystemChange } from "@player/service/contract/power";
import type { PrayerBody } from "@player/service/contract/prayer";
import type { ScheduleFired } from "@player/service/contract/schedules";
import type { SettingsBody } from "@player/service/contract/settings";
import type { UploadsChange } from "@player/service/contract/uploads";

export interface Hello {
  version: string;
  boot_id: string;
  playback: PlaybackStatus;
  prayer: PrayerBody;
  battery: BatteryBody;
  ota: OtaBody;
  settings: SettingsBody;
  /** The adhan that is playing. */
  adhan: AdhanChange["prayer"] | null;
  /** The last error about playback, if nothing else has played since. */
  error: ErrorCode | null;
}

/** The device's socket frames, by type. */
export interface FrameData {
  hello: Hello;
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

/** `ts` is the device's clock in milliseconds. */
export type Frame = { [Type in keyof FrameData]: { type: Type; ts: number; data: FrameData[Type] } }[keyof FrameData];

export function readFrame(text: string): Frame | undefined {
  const frame: unknown = JSON.parse(text);
  return isFrame(frame) ? frame : undefined;
}

/** The service is of the same build as the page, so a frame has the data that its type promises. */
function isFrame(frame: unknown): frame is Frame {
  return typeof frame === "object" && frame !== null && "type" in frame && "ts" in frame && "data" in frame;
}
