import { AsyncLocalStorage } from "node:async_hooks";
import type { Clock } from "@kit/clock";
import type { Problem } from "@kit/problem";
import { ALL_SITES } from "../../foundation/caller/scope.ts";
import type { LedgerKey } from "../../foundation/records/ledger-key.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { LedgerService } from "../ledger/ledger.service.ts";
import type { SitesService } from "../sites/sites.service.ts";
import {
  type CellSettings,
  type Elsewhere,
  findClaimedTwice,
  frozen,
  type KnownCell,
  locateSites,
  misdirected,
  type SeenCell,
  type SiteMove,
  signStatement,
} from "./cell.ts";
import { proveLeaves } from "./cell-tree.ts";
import {
  type CellBody,
  type CellSiteBody,
  type CellsBody,
  type CellsQuery,
  MAX_SITES,
  type StatementBody,
} from "./cells.schema.ts";
import type { CellsStore } from "./cells.store.ts";

export interface CellsServiceDeps {
  settings: CellSettings | undefined;
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: CellsStore; showcase: CellsStore };
  sites: Pick<SitesService, "all">;
  ledger: Pick<LedgerService, "listCheckpoints">;
  key: LedgerKey;
  clock: Pick<Clock, "now" | "monotonicMs">;
}
export type CellsService = ReturnType<typeof createCellsService>;

/** Where the sites of other cells are, and which of the own sites are being moved. */
interface Directory {
  elsewhere: Elsewhere;
  frozen: ReadonlyMap<string, SiteMove>;
}

/** How long a process may still take a site for its own after the directory has changed. */
export const FRESH_MS = 1000;

const NO_CELL: CellsBody = { cell: null, statement: null, cells: [], tree: null };

export function createCellsService({ settings, runtime, stores, sites, ledger, key, clock }: CellsServiceDeps) {
  // Many callers share one read: it must not inherit what the first of them may see of the database.
  const outside = AsyncLocalStorage.snapshot();
  let known: { directory: Promise<Directory>; readMs: number } | undefined;

  /** A site that has moved is no longer its own, though its records are still here. */
  async function listOwnSites(moves: readonly SiteMove[]): Promise<CellSiteBody[]> {
    const moved = new Set(moves.filter(({ state }) => state === "moved").map(({ site_id }) => site_id));
    return (await sites.all(ALL_SITES)).flatMap(({ id, name }) => (moved.has(id) ? [] : [{ id, name }]));
  }

  async function readDirectory(cells: readonly KnownCell[]): Promise<Directory> {
    const store = await runtime.choose(stores);
    const moves = await store.listMoves();
    const elsewhere = locateSites(await listOwnSites(moves), await store.listSeen(), cells);
    return { elsewhere: new Map([...elsewhere, ...locateMoved(moves, cells)]), frozen: findFrozen(moves) };
  }

  /** At most one read a second, whatever the number of requests; a read that failed is not kept. */
  async function findDirectory(cells: readonly KnownCell[]): Promise<Directory> {
    const nowMs = clock.monotonicMs();
    if (known && nowMs - known.readMs < FRESH_MS) return known.directory;
    const reading = { directory: outside(readDirectory, cells), readMs: nowMs };
    known = reading;
    reading.directory.catch(() => {
      if (known === reading) known = undefined;
    });
    return reading.directory;
  }

  async function state(self: string): Promise<StatementBody> {
    const { items } = await ledger.listCheckpoints({ limit: 1 });
    const [checkpoint = null] = items;
    const moves = await (await runtime.choose(stores)).listMoves();
    const own = await listOwnSites(moves);
    return signStatement(key, { cell: self, at: clock.now().toISOString(), sites: own, checkpoint });
  }

  /** Why requests for these sites are refused, by the text that names the site: another cell has it, or will have it. */
  async function findRefusals(texts: Iterable<string>): Promise<ReadonlyMap<string, Problem>> {
    const refusals = new Map<string, Problem>();
    if (!settings) return refusals;
    const directory = await findDirectory(settings.cells);
    for (const text of texts) {
      const [place, move] = [directory.elsewhere.get(text), directory.frozen.get(text)];
      if (place) refusals.set(text, misdirected(text, place));
      else if (move) refusals.set(text, frozen(text, move));
    }
    return refusals;
  }

  return {
    /** What this cell says of itself; undefined for a platform that is no cell. */
    state: async (): Promise<StatementBody | undefined> => settings && state(settings.self),

    async read({ only }: CellsQuery): Promise<CellsBody> {
      const store = await runtime.choose(stores);
      if (!settings) return NO_CELL;
      const statement = await state(settings.self);
      const answer = { cell: settings.self, statement };
      if (only === "self") return { ...answer, cells: [], tree: null };
      const seen = await store.listSeen();
      const root = await store.findRoot();
      const cells = settings.cells.map((cell) => describeCell(cell, statement, seen));
      if (!root) return { ...answer, cells, tree: null };
      const { leaves, ...signed } = root;
      return { ...answer, cells, tree: proveLeaves(key.public_key, signed, leaves) };
    },

    findRefusals,
  };
}

/** At once, before the other cell has said that it has the site. */
function locateMoved(moves: readonly SiteMove[], cells: readonly KnownCell[]): Elsewhere {
  const places = moves.flatMap(({ state, site_id, site_name, to_cell }) => {
    const cell = cells.find(({ name }) => name === to_cell);
    if (state !== "moved" || !cell) return [];
    const place = { name: cell.name, url: cell.url };
    return [[site_id, place] as const, [site_name, place] as const];
  });
  return new Map(places);
}

function findFrozen(moves: readonly SiteMove[]): ReadonlyMap<string, SiteMove> {
  const frozenMoves = moves.filter(({ state }) => state === "frozen");
  return new Map(frozenMoves.flatMap((move) => [move.site_id, move.site_name].map((text) => [text, move] as const)));
}

function describeCell({ name, url, ring }: KnownCell, own: StatementBody, seen: readonly SeenCell[]): CellBody {
  const isSelf = name === own.cell;
  const found = seen.find(({ cell }) => cell === name);
  const statement = isSelf ? own : (found?.statement ?? null);
  return {
    name,
    url,
    ring,
    is_self: isSelf,
    seen_at: isSelf ? own.at : (found?.seen_at?.toISOString() ?? null),
    problem: isSelf ? findOwnProblem(own) : findProblem(own, found),
    sites: statement?.sites ?? [],
    tree_size: statement?.checkpoint?.tree_size ?? null,
  };
}

function findOwnProblem({ sites }: StatementBody): string | null {
  return sites.length > MAX_SITES ? `it has more than ${MAX_SITES} sites: other cells do not believe it` : null;
}

function findProblem(own: StatementBody, found: SeenCell | undefined): string | null {
  if (!found) return "not asked yet";
  const twice = findClaimedTwice(own.sites, found);
  return found.problem ?? (twice.length > 0 ? `it claims sites of this cell: ${twice.join(", ")}` : null);
}
