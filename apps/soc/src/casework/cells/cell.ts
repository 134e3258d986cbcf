import { Problem } from "@kit/problem";
import { canonicalJson } from "../../foundation/records/canonical-json.ts";
import { sha256, verifyEd25519 } from "../../foundation/records/digest.ts";
import type { LedgerKey } from "../../foundation/records/ledger-key.ts";
import { formatCheckpoint } from "../ledger/ledger.ts";
import type { CellSiteBody, StatementBody } from "./cells.schema.ts";

/** A cell of the operator's file. */
export interface KnownCell {
  name: string;
  /** Where its API is reached, without a slash at its end. */
  url: string;
  /** The fingerprint of its ledger key: what it says of itself is believed with this key only. */
  key_id: string;
  ring: number;
  /** A key of its API with `sites:read`; undefined for this cell itself. */
  apiKey?: string | undefined;
}

/** The own cell and all cells; undefined for a platform that is none. */
export interface CellSettings {
  self: string;
  cells: readonly KnownCell[];
}

/** What this cell knows of another one: the last genuine statement, and why the last question failed. */
export interface SeenCell {
  cell: string;
  statement: StatementBody | null;
  seen_at: Date | null;
  problem: string | null;
}

function formatStatement(statement: Omit<StatementBody, "signature">): string {
  const { cell, at, sites, checkpoint, public_key } = statement;
  const named = sites.map(({ id, name }) => ({ id, name }));
  return canonicalJson({ cell_statement: { cell, at, sites: named, checkpoint, public_key } });
}

export function signStatement(
  key: LedgerKey,
  { cell, at, sites, checkpoint }: Pick<StatementBody, "cell" | "at" | "sites" | "checkpoint">,
): StatementBody {
  const made = { cell, at, sites, checkpoint, public_key: key.public_key };
  return { ...made, signature: key.sign(formatStatement(made)) };
}

/** Why a statement is not believed; undefined if it is. `former` is the last one that was. */
export function findStatementFault(
  statement: StatementBody,
  known: Pick<KnownCell, "name" | "key_id">,
  former: StatementBody | null,
): string | undefined {
  if (statement.cell !== known.name) return `it is cell '${statement.cell}'`;
  const publicKey = Buffer.from(statement.public_key, "hex");
  if (Buffer.from(sha256(publicKey)).toString("hex") !== known.key_id)
    return "it has another key than SOC_CELLS_FILE says";
  const isSigned = (text: string, signature: string) =>
    verifyEd25519(publicKey, Buffer.from(text), Buffer.from(signature, "hex"));
  if (!isSigned(formatStatement(statement), statement.signature)) return "its signature does not match";
  const { checkpoint } = statement;
  if (checkpoint && !isSigned(formatCheckpoint(checkpoint), checkpoint.signature)) {
    return "the signature of its checkpoint does not match";
  }
  return former ? findStepBack(statement, former) : undefined;
}

/** A restored database, or a repeated statement. What was believed before stays. */
function findStepBack({ at, checkpoint }: StatementBody, former: StatementBody): string | undefined {
  if (at < former.at) return `it is of ${at}, older than the one of ${former.at}`;
  if (!former.checkpoint) return undefined;
  const size = checkpoint?.tree_size ?? 0;
  if (size < former.checkpoint.tree_size) {
    return `its ledger has ${size} entries under a checkpoint, but had ${former.checkpoint.tree_size}: it was set back`;
  }
  return size === former.checkpoint.tree_size && checkpoint?.root_hash !== former.checkpoint.root_hash
    ? `its ledger of ${size} entries is another one than before`
    : undefined;
}

/** The code of the refusal of requests for a site that is being moved. Reads go on. */
export const FROZEN_CODE = "site_moving";
export const FROZEN_SECONDS = 5;
/** The code of the refusal of requests for a site of another cell. */
export const OTHER_CELL_CODE = "other_cell";

/** Where each site of the other cells is, by its id and by its name. */
export type Elsewhere = ReadonlyMap<string, Pick<KnownCell, "name" | "url">>;

/** A site that this cell has is here, whatever others say. */
export function locateSites(
  own: readonly CellSiteBody[],
  seen: readonly SeenCell[],
  cells: readonly KnownCell[],
): Elsewhere {
  const urls = new Map(cells.map(({ name, url }) => [name, url]));
  const here = new Set(own.flatMap(({ id, name }) => [id, name]));
  const found = new Map<string, Pick<KnownCell, "name" | "url">>();
  for (const { cell, statement } of seen.toSorted((a, b) => (a.cell < b.cell ? -1 : 1))) {
    const url = urls.get(cell);
    // A cell that the operator has taken out of the file counts no more.
    if (url === undefined) continue;
    for (const text of statement?.sites.flatMap(({ id, name }) => [id, name]) ?? []) {
      if (!here.has(text) && !found.has(text)) found.set(text, { name: cell, url });
    }
  }
  return found;
}

/** The sites that this cell and another one both claim. */
export function findClaimedTwice(own: readonly CellSiteBody[], { statement }: SeenCell): string[] {
  const here = new Set(own.flatMap(({ id, name }) => [id, name]));
  return statement?.sites.filter(({ id, name }) => here.has(id) || here.has(name)).map(({ name }) => name) ?? [];
}

/** The documented refusal: 421, with the cell and its address. */
export function misdirected(site: string, { name, url }: Pick<KnownCell, "name" | "url">): Problem {
  return new Problem("misdirected", `site: '${site}' is in cell '${name}', at ${url}`, {
    field: "site",
    code: OTHER_CELL_CODE,
  });
}

/** A site that this cell gives to another one. `frozen`: it is being copied; `moved`: the other cell has it. */
export interface SiteMove {
  site_id: string;
  site_name: string;
  to_cell: string;
  state: "frozen" | "moved";
}

/** The documented refusal while a site is being copied: 503, and the same request is taken later, here or there. */
export function frozen(site: string, { to_cell }: Pick<SiteMove, "to_cell">): Problem {
  return new Problem("unavailable", `site: '${site}' is being moved to cell '${to_cell}'`, {
    field: "site",
    code: FROZEN_CODE,
    retryAfterSeconds: FROZEN_SECONDS,
  });
}

/** The name of a cell as a receiver of requests. */
export function formatCellDestination(name: string): string {
  return `cell:${name}`;
}
