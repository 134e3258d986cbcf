import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { invalidField, Problem } from "@kit/problem";
import type { Recorder } from "../../../foundation/audit/audit.service.ts";
import type { Caller } from "../../../foundation/caller/caller.ts";
import type { Tx } from "../../../foundation/database/tables.ts";
import { requireStorable } from "../../../foundation/records/storable.ts";
import type { ToInstant } from "../../normalise/event-time.ts";
import { createLocalTime } from "./local-time.ts";
import type { SourceSettings, UpdateSourceRequest } from "./source-settings.schema.ts";
import { createSourceSettingsWriter, type SourceSettingsStore } from "./source-settings.store.ts";

export interface SourceSettingsServiceDeps {
  store: SourceSettingsStore;
  audit: Recorder;
  clock: Pick<Clock, "now" | "monotonicMs">;
  log: Pick<Log, "warn">;
}
export type SourceSettingsService = ReturnType<typeof createSourceSettingsService>;

/** The clocks of the sources that have a zone. */
export type FindLocalTime = (source: string) => ToInstant | undefined;

const MAX_SETTINGS = 10_000;
/** The maximum age of a process's cached zones. */
const CACHED_MS = 5000;

export function createSourceSettingsService({ store, audit, clock, log }: SourceSettingsServiceDeps) {
  let zones: ReadonlyMap<string, ToInstant> = new Map();
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  async function readZones(): Promise<void> {
    const rows = await store.all();
    zones = new Map(
      rows.flatMap(({ source, timezone }) => (timezone === null ? [] : [[source, createLocalTime(timezone)]])),
    );
    readAtMs = clock.monotonicMs();
  }

  /** Shared by concurrent requests. Without a database the zones stay unchanged. */
  async function refresh(): Promise<void> {
    reading ??= readZones().finally(() => {
      reading = undefined;
    });
    try {
      await reading;
    } catch (error) {
      if (readAtMs === Number.NEGATIVE_INFINITY) throw error;
      log.warn({ error }, "reading the source settings failed");
    }
  }

  return {
    /** The local time of each source with a zone, at most five seconds old. */
    async localTimes(): Promise<FindLocalTime> {
      if (clock.monotonicMs() - readAtMs >= CACHED_MS) await refresh();
      const current = zones;
      return (source) => current.get(source);
    },

    all: async (): Promise<ReadonlyMap<string, SourceSettings>> =>
      new Map((await store.all()).map((settings) => [settings.source, settings])),

    async update(tx: Tx, { username }: Caller, source: string, request: UpdateSourceRequest): Promise<SourceSettings> {
      if (Object.keys(request).length === 0) throw invalidField("body", "must have watch or timezone");
      requireStorable({ source });
      if (request.timezone) createLocalTime(request.timezone);
      const writer = createSourceSettingsWriter(tx);
      const { current = { source, watch: true, timezone: null }, count } = await writer.lock(source);
      const changed = { ...current, ...request };
      if (changed.watch === current.watch && changed.timezone === current.timezone) return current;
      if (changed.watch && changed.timezone === null) await writer.remove(source);
      else if (count >= MAX_SETTINGS) {
        throw new Problem("conflict", `source: at most ${MAX_SETTINGS} sources may have settings`);
      } else await writer.put({ ...changed, updated_by: username, updated_at: clock.now() });
      const { watch, timezone } = changed;
      await audit.record(tx, {
        actor: username,
        action: "source.updated",
        subject_type: "source",
        subject_id: source,
        details: { watch, timezone },
      });
      return changed;
    },
  };
}
