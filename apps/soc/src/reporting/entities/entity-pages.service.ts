import type { Clock } from "@kit/clock";
import type { EntityType } from "../../alerts/entities/entities.schema.ts";
import {
  computeRisk,
  countSeverities,
  type EntitiesService,
  type Entity,
  type EntityAlert,
  formatEntity,
  listAliases,
  listEntities,
  toEntity,
} from "../../alerts/module.ts";
import type { CasesService } from "../../cases/module.ts";
import type { IocsService } from "../../detection/module.ts";
import type { DevicesService } from "../../devices/module.ts";
import { type Caller, type Scope, toScope } from "../../foundation/caller/caller.ts";
import { unifyHost } from "../../foundation/records/entity-name.ts";
import { type LogsService, requireAllStores } from "../../logs/module.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import type { EndpointsService } from "../../response/module.ts";
import { createPartReader } from "../pages/page-parts.ts";

export interface EntityPagesServiceDeps {
  entities: Pick<EntitiesService, "find">;
  cases: Pick<CasesService, "get" | "filter">;
  logs: Pick<LogsService, "newest">;
  iocs: Pick<IocsService, "list">;
  endpoints: Pick<EndpointsService, "list">;
  devices: Pick<DevicesService, "list">;
  clock: Pick<Clock, "now" | "deadline">;
}
export type EntityPagesService = ReturnType<typeof createEntityPagesService>;

const MAX_ITEMS = 20;
const MAX_CASES = 10;
const MAX_RELATED = 50;
const MAX_LOGS = 200;
const MAX_TOP = 10;
const HOUR_MS = 60 * 60_000;

/** Collects everything known about a host, user, address, domain or hash in one answer. */
export function createEntityPagesService(deps: EntityPagesServiceDeps) {
  const { entities, cases, logs, iocs, endpoints, devices, clock } = deps;

  /** Omits cases outside of the scope. */
  async function listCases(scope: Scope, alerts: readonly EntityAlert[]) {
    const ids = [...new Set(alerts.flatMap(({ case_id }) => case_id ?? []))];
    const shown = await cases.filter(scope, ids);
    const wanted = ids.filter((id) => shown.has(id)).slice(0, MAX_CASES);
    return Promise.all(wanted.map((id) => cases.get(scope, id)));
  }

  async function findEndpoint(scope: Scope, { type, value }: Entity) {
    if (type !== "host" && type !== "address") return null;
    const { items } = await endpoints.list(scope, { q: value, limit: MAX_ITEMS });
    return items.find(({ hostname, ip }) => (type === "host" ? unifyHost(hostname) : ip) === value) ?? null;
  }

  async function findDevice(scope: Scope, { type, value }: Entity) {
    if (type !== "host") return null;
    const { items } = await devices.list(scope, { q: value, limit: MAX_ITEMS });
    return items.find(({ name }) => unifyHost(name) === value) ?? null;
  }

  async function countLogs(scope: Scope, entity: Entity, signal: AbortSignal) {
    const found = await logs.newest(scope, { query: toLogQuery(entity), from: "now-24h" }, MAX_LOGS, signal);
    requireAllStores(found);
    const top = (read: (log: LogEvent) => string) => countTop(found.logs.map(read).filter((value) => value !== ""));
    const hours = countTop(
      found.logs.map(({ timestamp }) => String(Math.floor(Date.parse(timestamp) / HOUR_MS))),
      MAX_LOGS,
    );
    return {
      total: found.total,
      histogram: hours
        .map(({ value, count }) => ({ at: new Date(Number(value) * HOUR_MS), count }))
        .toSorted((a, b) => a.at.getTime() - b.at.getTime()),
      top_sources: top(({ source }) => source),
      top_actions: top(({ action }) => action),
      is_sampled: found.total > found.logs.length,
    };
  }

  return {
    async read(caller: Caller, type: EntityType, value: string) {
      const entity = toEntity(type, value);
      const scope = toScope(caller);
      const { alerts, total, is_partial } = await entities.find(scope, entity);
      const parts = createPartReader(caller, clock);
      const byKey = true;
      const [opened, seen, endpoint, device, known] = await Promise.all([
        parts.read("cases", { needs: ["cases:read"], byKey, bySite: true }, () => listCases(scope, alerts)),
        parts.read("logs", { needs: ["siem:read"], byKey, bySite: true }, (signal) => countLogs(scope, entity, signal)),
        parts.read("endpoint", { needs: ["edr:read"], byKey, bySite: true }, () => findEndpoint(scope, entity)),
        parts.read("device", { needs: ["cps:read"], byKey, bySite: true }, () => findDevice(scope, entity)),
        parts.read(
          "iocs",
          { needs: ["iocs:read"], byKey },
          async () => (await iocs.list({ value: entity.value })).items,
        ),
      ]);
      const times = alerts.map(({ first_seen }) => first_seen.getTime());
      const coverage = parts.coverage();
      return {
        entity,
        aliases: listAliases(entity, alerts),
        risk: computeRisk(alerts, clock.now()),
        first_seen: times.length === 0 ? null : new Date(times.reduce((a, b) => Math.min(a, b))),
        last_seen: alerts[0]?.last_seen ?? null,
        alerts: {
          total,
          by_severity: countSeverities(alerts.map(({ severity }) => severity)),
          items: alerts.slice(0, MAX_ITEMS),
        },
        cases: opened,
        logs: seen,
        related: relate(entity, alerts),
        endpoint,
        device,
        iocs: known,
        is_partial: is_partial || coverage.is_partial,
        partial: is_partial ? ["alerts", ...coverage.partial] : coverage.partial,
      };
    },
  };
}

/** Matches every spelling of a name, as normalised in `foundation/records/entity-name.ts`. */
function toLogQuery({ type, value }: Entity): string {
  const text = JSON.stringify(value);
  const word = value.replaceAll(/[^\w.-]/g, "?");
  switch (type) {
    case "host":
      return `host:${text} OR host:${word}.*`;
    case "user":
      return `user:${text} OR user:*\\\\${word} OR user:${word}@*`;
    case "address":
      return `src_ip:${text} OR dst_ip:${text}`;
    case "domain":
    case "hash":
      return text;
    default:
      return type satisfies never;
  }
}

function countTop(values: readonly string[], limit = MAX_TOP): { value: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, limit);
}

function relate(entity: Entity, alerts: readonly EntityAlert[]) {
  const own = formatEntity(entity);
  const found = new Map<string, Entity & { count: number; via: string }>();
  for (const alert of alerts) {
    for (const { type, value } of listEntities(alert)) {
      const id = formatEntity({ type, value });
      if (id !== own) found.set(id, { type, value, count: (found.get(id)?.count ?? 0) + 1, via: "alert" });
    }
  }
  return [...found.values()].toSorted((a, b) => b.count - a.count).slice(0, MAX_RELATED);
}
