import type { Log } from "@kit/log";
import { invalidField } from "@kit/problem";
import Type, { type Static, type TSchema } from "typebox";
import Value from "typebox/value";
import { backupPart, below } from "../storage/backup-part.ts";
import { parseZone } from "../time/zone.ts";
import { ModeRequest } from "./advance-mode.schema.ts";
import { ChangeSettingsRequest, Settings } from "./settings.schema.ts";
import type { SettingsStore } from "./settings.store.ts";

export interface SettingsServiceDeps {
  store: SettingsStore;
  log: Pick<Log, "warn">;
}
export type SettingsService = ReturnType<typeof createSettingsService>;

const DEFAULTS: Readonly<Settings> = {
  brightness: 200,
  timezone: "UTC0",
  time_format_24h: false,
  auto_resume: false,
  auto_off_minutes: 0,
  card_removal: "continue",
  volume: 50,
  max_volume: 100,
  device_name: "Manara",
  language: "en",
  high_latitude: "auto",
  hijri_adjust: 0,
  after_adhan: "resume",
  stream_retry_min: 30,
  allow_private_streams: false,
};

/**
 * The settings that the owner changes at run time. They are read often, so they stay in memory; the store keeps them
 * for the next start.
 */
export function createSettingsService({ store, log }: SettingsServiceDeps) {
  const listeners = new Set<(settings: Settings) => void>();
  let settings = readAll();
  let mode = readStored("mode", ModeRequest);

  function readAll(): Settings {
    const names = Object.entries(Settings.properties);
    const stored = names.map(([name, schema]) => [name, readStored(name, schema)] as const);
    const usable = Object.fromEntries(stored.filter(([, value]) => value !== undefined));
    return confineVolume(Value.Parse(Settings, { ...DEFAULTS, ...usable }));
  }

  function readStored<Schema extends TSchema>(name: string, schema: Schema): Static<Schema> | undefined {
    const text = store.find(name);
    if (text === undefined) return undefined;
    const value = parseJson(text);
    if (Value.Check(schema, value)) return value;
    log.warn({ setting: name }, "stored setting is invalid, using its default");
    return undefined;
  }

  function notifyListeners(): void {
    for (const listener of listeners) listener(settings);
  }

  /** Reads everything again, after a backup or a reset changed the store. */
  function reload(): void {
    settings = readAll();
    mode = readStored("mode", ModeRequest);
    notifyListeners();
  }

  return {
    get: (): Settings => settings,

    /** Saves the change before it takes effect, so that a full disk changes nothing. */
    change(part: Partial<Settings>): Settings {
      if (Object.keys(part).length === 0) {
        const known = Object.keys(ChangeSettingsRequest.properties).join(", ");
        throw invalidField("body", `must have at least one of ${known}`);
      }
      checkSettings(part);
      const changed = confineVolume({ ...settings, ...part });
      store.save({ ...part, volume: changed.volume });
      settings = changed;
      notifyListeners();
      return settings;
    },

    reload,

    /** A setting that is missing in the backup gets its default. */
    backup: backupPart({
      name: "settings",
      Kept: Type.Partial(Settings),
      read: () => settings,
      check: (kept) => below("settings", () => checkSettings(kept)),
      replace: (kept) => store.replaceAll(Object.keys(Settings.properties), kept),
      reload,
    }),

    /** Calls back after every accepted change. Returns the function that stops listening. */
    onChange(listener: (settings: Settings) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    /** The advance mode before the last power cut. It has routes of its own, so it is not a field of the settings. */
    mode: (): ModeRequest | undefined => mode,

    saveMode(kept: ModeRequest): void {
      store.save({ mode: kept });
      mode = kept;
    },
  };
}

/** Checks that a schema cannot express. */
function checkSettings({ device_name, timezone }: Partial<Settings>): void {
  if (timezone !== undefined) parseZone(timezone);
  if (device_name !== undefined && /\p{Cc}/u.test(device_name)) {
    throw invalidField("device_name", "must not contain control characters", { code: "characters_forbidden" });
  }
}

/** A volume above a lowered limit is reduced to the limit. */
function confineVolume(settings: Settings): Settings {
  return { ...settings, volume: Math.min(settings.volume, settings.max_volume) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
