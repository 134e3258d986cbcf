import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Kysely } from "kysely";
import {
  ALERT_LIMITS,
  type AlertsService,
  countedLogs,
  findEntityName,
  type NewAlert,
  oneLine,
  sharedFields,
} from "../../alerts/module.ts";
import type { Tables, Tx } from "../../foundation/database/tables.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { IOCS, type IocSeverity, pickWorse } from "./ioc.ts";
import { createIocHitsStore, type SeenIoc } from "./ioc-hits.store.ts";
import { valuesIn } from "./ioc-matcher.ts";

export interface IocHitsServiceDeps {
  db: Kysely<Tables>;
  alerts: Pick<AlertsService, "create">;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
}
export type IocHitsService = ReturnType<typeof createIocHitsService>;

/** The logs that contain each indicator, by indicator id. */
export type IocLogs = ReadonlyMap<string, readonly LogEvent[]>;

const ALERTS_BATCH_SIZE = 100;
const IOCS_BATCH_SIZE = 500;
const MAX_NAMED = 20;
const MAX_VALUES = 20_000;
const MAX_KNOWN = 1000;
const DAY_MS = 24 * 60 * 60_000;
const HITS_KEPT_MS = 90 * DAY_MS;
const ENDED_KEPT_MS = 180 * DAY_MS;

/**
 * The only path from sightings of indicators to alerts, for the stream and for searches in stored logs. Idempotent: a
 * log in which an indicator was already seen raises no second alert.
 */
export function createIocHitsService({ db, alerts, clock, ids }: IocHitsServiceDeps) {
  async function collectFresh(tx: Tx, seen: IocLogs): Promise<IocSighting[]> {
    const store = createIocHitsStore(tx);
    const seen_at = clock.now();
    const known = await store.lockActive([...seen.keys()], seen_at);
    const hits = known.flatMap(({ id: ioc_id }) =>
      unique(seen.get(ioc_id) ?? []).map((log) => ({
        id: ids.next(),
        ioc_id,
        log_id: log.id,
        log_ingested_at: new Date(log.ingested_at),
        seen_at,
      })),
    );
    const stored = await store.insert(hits);
    return known
      .map((ioc) => ({
        ioc,
        logs: unique(seen.get(ioc.id) ?? []).filter(({ id }) => stored.has(`${ioc.id} ${id}`)),
      }))
      .filter(({ logs }) => logs.length > 0);
  }

  async function record(tx: Tx, seen: IocLogs, note: (ioc_id: string) => string | undefined): Promise<void> {
    const fresh = await collectFresh(tx, seen);
    const sightings = fresh.flatMap(splitByEntity);
    const isFlood = sightings.length > ALERTS_BATCH_SIZE;
    const reports = isFlood ? [buildGroupReport(fresh)] : sightings.map((each) => buildReport(each, note(each.ioc.id)));
    for (const report of reports) await alerts.create(tx, IOCS, report);
  }

  return {
    /** Records in batches, one transaction each. Idempotent. */
    async record(seen: IocLogs, note: (ioc_id: string) => string | undefined = () => undefined): Promise<void> {
      const sorted = [...seen].toSorted(([a], [b]) => (a < b ? -1 : 1));
      for (let place = 0; place < sorted.length; place += IOCS_BATCH_SIZE) {
        const some = new Map(sorted.slice(place, place + IOCS_BATCH_SIZE));
        await db.transaction().execute((tx) => record(tx, some, note));
      }
    },

    /** Deletes expired hits and indicators, a limited number per call. */
    async sweep(): Promise<number> {
      const now = clock.now().getTime();
      const hitsBefore = new Date(now - HITS_KEPT_MS);
      const endedBefore = new Date(now - ENDED_KEPT_MS);
      return createIocHitsStore(db).sweep({ hitsBefore, endedBefore });
    },

    /** The values in these logs that are known indicators, for the alert of a rule. */
    async findIn(tx: Tx, logs: readonly LogEvent[]): Promise<string[]> {
      const values = new Set<string>();
      const addresses = new Set<string>();
      for (const log of logs) {
        const found = valuesIn(log);
        for (const value of found.values) values.add(value);
        for (const address of found.addresses) addresses.add(address);
        if (values.size >= MAX_VALUES) break;
      }
      if (values.size === 0) return [];
      const found = { values: [...values], addresses: [...addresses] };
      return createIocHitsStore(tx).findKnown(found, clock.now(), MAX_KNOWN);
    },
  };
}

interface IocSighting {
  ioc: SeenIoc;
  logs: LogEvent[];
}

interface Sighting extends IocSighting {
  /** The host, user or source in whose logs the indicator was seen. */
  entity: string;
}

function splitByEntity({ ioc, logs }: IocSighting): Sighting[] {
  const byEntity = new Map<string, LogEvent[]>();
  for (const log of logs) {
    const entity = findEntityName([log], log.source);
    byEntity.set(entity, [...(byEntity.get(entity) ?? []), log]);
  }
  return [...byEntity].map(([entity, those]) => ({ ioc, logs: those, entity }));
}

function unique(logs: readonly LogEvent[]): LogEvent[] {
  return [...new Map(logs.map((log) => [log.id, log])).values()];
}

function buildReport({ ioc, logs, entity }: Sighting, note: string | undefined): NewAlert {
  const { type, value, severity, source, confidence } = ioc;
  const sentence = `${type} ${value}, known from ${source} with a confidence of ${confidence}, was seen in ${formatLogCount(logs)}.`;
  return {
    ...toCommonFields(logs, severity),
    title: buildTitle(value, entity),
    description: note === undefined ? sentence : `${sentence} ${note}`,
    iocs: [value],
    ...sharedFields(logs),
  };
}

/** A long indicator is truncated, not the entity. */
function buildTitle(value: string, entity: string): string {
  const [before, after] = ["Known indicator seen: ", ` on ${entity}`];
  return `${before}${oneLine(value, ALERT_LIMITS.title - before.length - after.length) ?? ""}${after}`;
}

/** One alert that replaces many. Its constant title and empty IOC list make repeats merge into it. */
function buildGroupReport(fresh: readonly IocSighting[]): NewAlert {
  const logs = unique(fresh.flatMap((each) => each.logs));
  const severity = fresh.map(({ ioc }) => ioc.severity).reduce(pickWorse, "info");
  const named = fresh.slice(0, MAX_NAMED).map(({ ioc }) => ioc.value);
  return {
    ...toCommonFields(logs, severity),
    title: "Many known indicators seen at once",
    description: `${formatIocCount(fresh)} in ${formatLogCount(logs)}. This alert represents all of them; the first are ${named.join(", ")}. Each has its own list of hits.`,
    iocs: [],
  };
}

function formatIocCount({ length }: readonly IocSighting[]): string {
  return length === 1 ? "One known indicator was seen" : `${length} known indicators were seen`;
}

function formatLogCount(logs: readonly LogEvent[]): string {
  return logs.length === 1 ? "one log" : `${logs.length} logs`;
}

function toCommonFields(logs: readonly LogEvent[], severity: IocSeverity) {
  return { source: "iocs", severity, ...countedLogs(logs) };
}
