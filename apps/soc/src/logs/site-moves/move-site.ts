import type { Clock } from "@kit/clock";
import { Problem } from "@kit/problem";
import Type, { type Static, type TSchema } from "typebox";
import Value from "typebox/value";
import type { KnownCell } from "../../casework/cells/cell.ts";
import { type CellSiteBody, CellsBody } from "../../casework/cells/cells.schema.ts";
import { ArrivalBody, ArrivingBody, MOVED_PARTS, MoveBody, type MovedPart, RecordsBody } from "./site-moves.schema.ts";

type Method = "GET" | "POST" | "DELETE";

export interface MoveSiteDeps {
  cells: readonly KnownCell[];
  /** One request to a cell, with the key of the person. */
  send: (
    cell: KnownCell,
    method: Method,
    path: string,
    body?: object,
  ) => Promise<{ status: number; retryAfterSeconds: number; text: string }>;
  clock: Pick<Clock, "sleep">;
  print: (line: string) => void;
}

interface Route {
  source: KnownCell;
  target: KnownCell;
  site: CellSiteBody;
}

const Cancelled = Type.Object({ deleted: Type.Boolean() });
const MAX_ATTEMPTS = 20;
const MAX_WAIT_SECONDS = 30;
const POLL_MS = 1000;
/** How long the streams of the cell may take to store what was acknowledged before the freeze. */
const MAX_POLLS = 1800;

/**
 * Moves a site: freezes it in its cell, copies its records to the other one, compares both, and lets the other one have it.
 * Whatever the step at which it was cut off: run again, it goes on and ends in the same way.
 */
export function createMoveSite({ cells, send, clock, print }: MoveSiteDeps) {
  async function ask<Schema extends TSchema>(
    cell: KnownCell,
    schema: Schema,
    method: Method,
    path: string,
    body?: object,
  ): Promise<Static<Schema>> {
    for (let attempt = 1; ; attempt += 1) {
      const { status, retryAfterSeconds, text } = await send(cell, method, path, body);
      if (status === 200) {
        const read: unknown = JSON.parse(text);
        if (Value.Check(schema, read)) return read;
        throw new Problem(
          "unavailable",
          `cell '${cell.name}' answers ${path} otherwise than expected, or is not in mode real`,
        );
      }
      if ((status !== 429 && status !== 503) || attempt === MAX_ATTEMPTS) {
        throw new Problem(
          "unavailable",
          `cell '${cell.name}': ${method} ${path} answered ${status}: ${text.slice(0, 500)}`,
        );
      }
      await clock.sleep(Math.min(Math.max(retryAfterSeconds, 1), MAX_WAIT_SECONDS) * 1000);
    }
  }

  async function listSites(cell: KnownCell): Promise<readonly CellSiteBody[]> {
    const { statement } = await ask(cell, CellsBody, "GET", "/cells?only=self");
    if (statement?.cell !== cell.name) throw new Problem("conflict", `'${cell.name}' says that it is another cell`);
    return statement.sites;
  }

  /** The cell that has the site now; undefined when only the target has it. All cells must answer: another one may claim it. */
  async function findRoute(text: string, target: KnownCell): Promise<Route | undefined> {
    const found: { cell: KnownCell; site: CellSiteBody }[] = [];
    for (const cell of cells) {
      const site = (await listSites(cell)).find(({ id, name }) => id === text || name === text);
      if (site) found.push({ cell, site });
    }
    const [other, ...more] = found.filter(({ cell }) => cell.name !== target.name);
    if (more.length > 0) throw new Problem("conflict", `several cells claim site '${text}'`);
    if (!other && found.length === 0) throw new Problem("not_found", `no cell has site '${text}'`);
    return other && { source: other.cell, target, site: other.site };
  }

  async function freeze({ source, target, site }: Route): Promise<MoveBody> {
    for (let poll = 1; ; poll += 1) {
      const body = { site_id: site.id, to: target.name };
      const move = await ask(source, MoveBody, "POST", "/cells/moves", body);
      if (poll === 1) print(`frozen in cell '${source.name}'`);
      if (move.is_settled) return move;
      if (poll === MAX_POLLS)
        throw new Problem("unavailable", `cell '${source.name}' has not stored all logs yet: run it again`);
      await clock.sleep(POLL_MS);
    }
  }

  function readPage(
    cell: KnownCell,
    { site }: Route,
    asked: { part: MovedPart; after: string | null; limit?: number; only?: "digest" },
  ): Promise<RecordsBody> {
    const { part, after, limit, only } = asked;
    const query = new URLSearchParams({
      ...{ site_id: site.id, site_name: site.name, part },
      ...(after !== null && { after }),
      ...(limit !== undefined && { limit: String(limit) }),
      ...(only && { only }),
    });
    return ask(cell, RecordsBody, "GET", `/cells/moves/records?${query}`);
  }

  /** Whether the target has exactly the records of a page of the source. */
  async function isEqual(route: Route, part: MovedPart, after: string | null, page: RecordsBody): Promise<boolean> {
    // One more than the page has, where it is the last one: the target must not have more.
    const limit = Math.max(1, page.count) + (page.next === null && page.count > 0 ? 1 : 0);
    const there = await readPage(route.target, route, { part, after, limit, only: "digest" });
    return there.count === page.count && there.digest === page.digest;
  }

  async function copy(route: Route, part: MovedPart): Promise<void> {
    const { source, target, site } = route;
    let [copied, known] = [0, 0];
    for (let after: string | null | undefined; after !== null; ) {
      const page: RecordsBody = await readPage(source, route, { part, after: after ?? null });
      const { items, last_entries, count } = page;
      if (await isEqual(route, part, after ?? null, page)) {
        known += count;
      } else if (count > 0) {
        const body = { site_id: site.id, site_name: site.name, from: source.name, part, items, last_entries };
        await ask(target, ArrivingBody, "POST", "/cells/moves/records", body);
        copied += count;
      }
      after = page.next;
    }
    print(`${part}: ${copied} copied, ${known} the other cell had already`);
  }

  async function compare(route: Route, part: MovedPart): Promise<void> {
    let compared = 0;
    for (let after: string | null | undefined; after !== null; ) {
      const page: RecordsBody = await readPage(route.source, route, { part, after: after ?? null, only: "digest" });
      if (!(await isEqual(route, part, after ?? null, page))) {
        throw new Problem(
          "conflict",
          `${part} of both cells differ after ${compared}: run it again, or cancel the move`,
        );
      }
      compared += page.count;
      after = page.next;
    }
    print(`${part}: ${compared} are the same in both cells`);
  }

  function requireTarget(to: string): KnownCell {
    const target = cells.find(({ name }) => name === to);
    if (!target) throw new Problem("invalid", `--to: '${to}' is none of the cells of SOC_CELLS_FILE`);
    return target;
  }

  async function move(text: string, to: string): Promise<void> {
    const target = requireTarget(to);
    const route = await findRoute(text, target);
    if (!route) return print(`site '${text}' is in cell '${to}'`);
    const { source, site } = route;
    const move = await freeze(route);
    // Cut off between the last two steps: the target may have new records of the site already.
    if (!(await listSites(target)).some(({ id }) => id === site.id)) {
      for (const part of MOVED_PARTS) await copy(route, part);
      for (const part of MOVED_PARTS) await compare(route, part);
      const { site_id, site_name, profile } = move;
      const arrival = { site_id, site_name, profile, from: source.name };
      await ask(target, ArrivalBody, "POST", "/cells/moves/arrivals", arrival);
    }
    await ask(source, ArrivalBody, "POST", `/cells/moves/${site.id}/end`);
    print(`site '${site.name}' is in cell '${to}'`);
  }

  async function cancel(text: string, to: string): Promise<void> {
    const route = await findRoute(text, requireTarget(to));
    const isThere = route && (await listSites(route.target)).some(({ id }) => id === route.site.id);
    if (!route || isThere) throw new Problem("conflict", `cell '${to}' has site '${text}' already`);
    await ask(route.source, Cancelled, "DELETE", `/cells/moves/${route.site.id}`);
    print(`site '${text}' stays in cell '${route.source.name}'`);
  }

  return { move, cancel };
}
