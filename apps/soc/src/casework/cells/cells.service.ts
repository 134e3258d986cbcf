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
  type KnownCell,
  locateSites,
  misdirected,
  type SeenCell,
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

/** How long a process may still take a site for its own after the directory has changed. */
const FRESH_MS = 1000;

const NO_CELL: CellsBody = { cell: null, statement: null, cells: [], tree: null };

export function createCellsService({ settings, runtime, stores, sites, ledger, key, clock }: CellsServiceDeps) {
  // Many callers share one read: it must not inherit what the first of them may see of the database.
  const outside = AsyncLocalStorage.snapshot();
  let known: { elsewhere: Promise<Elsewhere>; readMs: number } | undefined;

  async function listOwnSites(): Promise<CellSiteBody[]> {
    return (await sites.all(ALL_SITES)).map(({ id, name }) => ({ id, name }));
  }

  async function readElsewhere(cells: readonly KnownCell[]): Promise<Elsewhere> {
    const store = await runtime.choose(stores);
    return locateSites(await listOwnSites(), await store.listSeen(), cells);
  }

  /** At most one read a second, whatever the number of requests; a read that failed is not kept. */
  async function findElsewhere(cells: readonly KnownCell[]): Promise<Elsewhere> {
    const nowMs = clock.monotonicMs();
    if (known && nowMs - known.readMs < FRESH_MS) return known.elsewhere;
    const reading = { elsewhere: outside(readElsewhere, cells), readMs: nowMs };
    known = reading;
    reading.elsewhere.catch(() => {
      if (known === reading) known = undefined;
    });
    return reading.elsewhere;
  }

  async function state(self: string): Promise<StatementBody> {
    const { items } = await ledger.listCheckpoints({ limit: 1 });
    const [checkpoint = null] = items;
    return signStatement(key, { cell: self, at: clock.now().toISOString(), sites: await listOwnSites(), checkpoint });
  }

  /** Why requests for these sites belong to another cell, by the text that names the site. */
  async function findMisdirected(texts: Iterable<string>): Promise<ReadonlyMap<string, Problem>> {
    const refusals = new Map<string, Problem>();
    if (!settings) return refusals;
    const elsewhere = await findElsewhere(settings.cells);
    for (const text of texts) {
      const place = elsewhere.get(text);
      if (place) refusals.set(text, misdirected(text, place));
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

    findMisdirected,
  };
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
