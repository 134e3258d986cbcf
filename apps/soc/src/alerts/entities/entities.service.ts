import type { Clock } from "@kit/clock";
import type { Scope } from "../../foundation/caller/caller.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { parseSpan } from "../alerts/alert-filters.ts";
import type { EntitiesBody, GraphBody, GraphQuery, ListEntitiesQuery } from "./entities.schema.ts";
import type { AlertsOfEntity, CountedFacts, EntitiesStore, Span } from "./entities.store.ts";
import { type Entity, type EntityAlert, formatEntity, listEntities, parseEntity } from "./entity.ts";
import { countPoints, decay, toScore } from "./risk.ts";

export interface EntitiesServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: EntitiesStore; showcase: EntitiesStore };
  clock: Pick<Clock, "now" | "monotonicMs">;
}
export type EntitiesService = ReturnType<typeof createEntitiesService>;

const DAY_MS = 24 * 60 * 60_000;
const DAYS = 30;
const DEFAULT_LIMIT = 50;
const MAX_ALERTS = 1000;
const MAX_NODES = 300;
/** Limits of a graph: alerts read per node and neighbours followed. */
const MAX_NODE_ALERTS = 200;
const MAX_FOLLOWED = 20;
const GRAPH_MS = 150;

type Item = EntitiesBody["items"][number];

/** Derives facts about hosts, users, addresses, domains and hashes from the alerts of the last 30 days. */
export function createEntitiesService({ runtime, stores, clock }: EntitiesServiceDeps) {
  function lastDays(): Span {
    const to = clock.now();
    return { from: new Date(to.getTime() - DAYS * DAY_MS), to: new Date(to.getTime() + 1) };
  }

  return {
    async find(scope: Scope, entity: Entity): Promise<AlertsOfEntity> {
      return (await runtime.choose(stores)).find(scope, entity, lastDays(), MAX_ALERTS);
    },

    async list(
      scope: Scope,
      { type, sort = "-risk", q, limit = DEFAULT_LIMIT }: ListEntitiesQuery,
    ): Promise<EntitiesBody> {
      requireStorable({ q });
      const span = lastDays();
      const { facts, is_partial } = await (await runtime.choose(stores)).count(scope, type, span);
      const wanted = q?.toLowerCase() ?? "";
      const named = facts.filter(({ value }) => value.includes(wanted));
      const items = sumUp(named).map(({ value, points, alerts, last_seen }) => ({
        ...{ type, value, alerts, last_seen },
        ...toScore(points),
        points,
      }));
      const sorted = items.toSorted((a, b) => compare(sort, a, b));
      return {
        items: sorted.slice(0, limit).map(({ points: _, ...item }) => item),
        total: items.length,
        from: span.from,
        is_partial,
      };
    },

    /** Returns the entities that share alerts with the seed and, at depth 2, with its neighbours. */
    async graph(scope: Scope, { seed, depth = 1, ...given }: GraphQuery): Promise<GraphBody> {
      requireStorable({ seed });
      const start = parseEntity("seed", seed);
      const { from, to } = { ...lastDays(), ...parseSpan(given) };
      const store = await runtime.choose(stores);
      const untilMs = clock.monotonicMs() + GRAPH_MS;
      const drawn = createGraph();
      const read = async (entity: Entity) => {
        const { alerts, is_partial } = await store.find(scope, entity, { from, to }, MAX_NODE_ALERTS);
        drawn.add(alerts, is_partial);
      };
      await read(start);
      const near = depth === 1 ? [] : drawn.listNear(start, MAX_FOLLOWED);
      for (const entity of near) {
        if (clock.monotonicMs() > untilMs) {
          drawn.cut();
          break;
        }
        await read(entity);
      }
      return drawn.build(start);
    },
  };
}

function sumUp(facts: readonly CountedFacts[]) {
  const sums = new Map<string, { value: string; points: number; alerts: number; last_seen: Date }>();
  for (const fact of facts) {
    const sum = sums.get(fact.value) ?? { value: fact.value, points: 0, alerts: 0, last_seen: fact.last_seen };
    sums.set(fact.value, {
      value: fact.value,
      points: sum.points + decay(countPoints(fact), fact.days) * fact.count,
      alerts: sum.alerts + fact.count,
      last_seen: new Date(Math.max(sum.last_seen.getTime(), fact.last_seen.getTime())),
    });
  }
  return [...sums.values()];
}

function compare(
  sort: NonNullable<ListEntitiesQuery["sort"]>,
  a: Item & { points: number },
  b: Item & { points: number },
): number {
  const differences = {
    "-risk": b.points - a.points,
    "-alerts": b.alerts - a.alerts,
    "-last_seen": b.last_seen.getTime() - a.last_seen.getTime(),
  };
  return differences[sort] || (a.value < b.value ? -1 : 1);
}

function createGraph() {
  const seen = new Set<string>();
  const nodes = new Map<string, Entity & { alerts: number }>();
  const edges = new Map<string, GraphBody["edges"][number]>();
  let isPartial = false;

  function addEdge(one: string, other: string, { first_seen, last_seen }: EntityAlert): void {
    const [from = one, to = other] = [one, other].toSorted();
    const known = edges.get(`${from} ${to}`);
    edges.set(`${from} ${to}`, {
      ...{ from, to, kind: "alert" },
      count: (known?.count ?? 0) + 1,
      first: known && known.first < first_seen ? known.first : first_seen,
      last: known && known.last > last_seen ? known.last : last_seen,
    });
  }

  function addAlert(alert: EntityAlert): void {
    const named = listEntities(alert).slice(0, MAX_FOLLOWED);
    for (const { type, value } of named) {
      const id = formatEntity({ type, value });
      nodes.set(id, { type, value, alerts: (nodes.get(id)?.alerts ?? 0) + 1 });
    }
    const ids = named.map(formatEntity);
    for (const [at, id] of ids.entries()) for (const other of ids.slice(at + 1)) addEdge(id, other, alert);
  }

  return {
    cut(): void {
      isPartial = true;
    },

    add(alerts: readonly EntityAlert[], isCut: boolean): void {
      isPartial ||= isCut;
      for (const alert of alerts) {
        if (!seen.has(alert.id)) addAlert(alert);
        seen.add(alert.id);
      }
    },

    /** Returns the neighbours that share the most alerts. */
    listNear(entity: Entity, limit: number): Entity[] {
      const id = formatEntity(entity);
      isPartial ||= nodes.size - 1 > limit;
      return [...nodes]
        .filter(([other]) => other !== id)
        .toSorted(([, a], [, b]) => b.alerts - a.alerts)
        .slice(0, limit)
        .map(([, { type, value }]) => ({ type, value }));
    },

    build(start: Entity): GraphBody {
      const first = formatEntity(start);
      const all = [...nodes].toSorted(
        ([a, { alerts: x }], [b, { alerts: y }]) => rank(b, first, y) - rank(a, first, x),
      );
      const shown = new Map(all.slice(0, MAX_NODES));
      if (shown.size === 0) shown.set(first, { ...start, alerts: 0 });
      return {
        nodes: [...shown].map(([id, node]) => ({ id, ...node })),
        edges: [...edges.values()].filter(({ from, to }) => shown.has(from) && shown.has(to)),
        is_partial: isPartial || nodes.size > MAX_NODES,
      };
    },
  };
}

function rank(id: string, first: string, alerts: number): number {
  return id === first ? Number.MAX_SAFE_INTEGER : alerts;
}
