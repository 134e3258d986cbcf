import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { Static, TSchema } from "typebox";
import Value from "typebox/value";
import type { Events } from "../events.ts";
import { ModeRequest } from "../playback/playback.schema.ts";
import { ChangeSettingsRequest, SettingsBody } from "./settings.schema.ts";
import type { SettingsStore } from "./settings.store.ts";

export interface SettingsServiceDeps {
  store: SettingsStore;
  events: Pick<Events, "emit">;
  log: Pick<Log, "warn">;
}
export type SettingsService = ReturnType<typeof createSettingsService>;

const DEFAULTS: Readonly<SettingsBody> = {
  volume: 50,
  max_volume: 100,
  auto_resume: false,
  stream_retry_min: 30,
  allow_private_streams: false,
};

/** What an operator changes at run time. Read often, so it stays in memory; the store has it for the next start. */
export function createSettingsService({ store, events, log }: SettingsServiceDeps) {
  const listeners = new Set<(settings: SettingsBody) => void>();
  let settings = readAll();
  let mode = readStored("mode", ModeRequest);

  function readAll(): SettingsBody {
    const names = Object.entries(SettingsBody.properties);
    const stored = names.map(([name, schema]) => [name, readStored(name, schema)] as const);
    const usable = Object.fromEntries(stored.filter(([, value]) => value !== undefined));
    return confineVolume(Value.Parse(SettingsBody, { ...DEFAULTS, ...usable }));
  }

  function readStored<Schema extends TSchema>(name: string, schema: Schema): Static<Schema> | undefined {
    const text = store.find(name);
    if (text === undefined) return undefined;
    const value = parseJson(text);
    if (Value.Check(schema, value)) return value;
    log.warn({ setting: name }, "a stored setting cannot be used, its default takes its place");
    return undefined;
  }

  return {
    get: (): SettingsBody => settings,

    /** Keeps the change before it counts, so that a full disk leaves everything as it was. */
    change(part: Partial<SettingsBody>): SettingsBody {
      if (Object.keys(part).length === 0) {
        const known = Object.keys(ChangeSettingsRequest.properties).join(", ");
        throw new Problem("invalid", `body: must have at least one of ${known}`);
      }
      const changed = confineVolume({ ...settings, ...part });
      store.save({ ...part, volume: changed.volume });
      settings = changed;
      events.emit("settings", settings);
      for (const listener of listeners) listener(settings);
      return settings;
    },

    /** Calls back after every accepted change. Returns the function that stops listening. */
    onChange(listener: (settings: SettingsBody) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    /** The advance mode of before the last power cut. It has routes of its own, so it is no field of the settings. */
    mode: (): ModeRequest | undefined => mode,

    keepMode(kept: ModeRequest): void {
      store.save({ mode: kept });
      mode = kept;
    },
  };
}

/** A volume above its limit follows the limit down. */
function confineVolume(settings: SettingsBody): SettingsBody {
  return { ...settings, volume: Math.min(settings.volume, settings.max_volume) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
