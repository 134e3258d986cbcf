import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import Value from "typebox/value";
import type { OutboundService } from "../../foundation/outbound/outbound.service.ts";
import { createPollingLoop } from "../../foundation/polling-loop.ts";
import type { LedgerKey } from "../../foundation/records/ledger-key.ts";
import { type CellSettings, findStatementFault, formatCellDestination, type KnownCell, type SeenCell } from "./cell.ts";
import { signNextRoot, toLeaves } from "./cell-tree.ts";
import { CellsBody, type StatementBody } from "./cells.schema.ts";
import type { CellsService } from "./cells.service.ts";
import type { CellsStore, CellsWriter } from "./cells.store.ts";

export interface CellsWorkerDeps {
  settings: CellSettings;
  store: CellsStore;
  writer: CellsWriter;
  cells: Pick<CellsService, "state">;
  outbound: Pick<OutboundService, "send">;
  isAllowed: () => Promise<boolean>;
  key: LedgerKey;
  clock: Pick<Clock, "now" | "sleep">;
  log: Pick<Log, "warn">;
}

const ASK_MS = 30_000;
const ANSWER_MS = 5000;

/** Asks the other cells what they say of themselves, and signs the roots of the tree over all of them. */
export function createCellsWorker(deps: CellsWorkerDeps) {
  const { settings, store, writer, cells, outbound, isAllowed, key, clock, log } = deps;
  const others = settings.cells.filter(({ name }) => name !== settings.self);

  async function request({ name, url, apiKey = "" }: KnownCell): Promise<StatementBody> {
    const receipt = await outbound.send({
      kind: "question",
      destination: formatCellDestination(name),
      purpose: `what cell '${name}' says of itself`,
      method: "GET",
      url: `${url}/api/v1/cells?only=self`,
      headers: { "x-api-key": apiKey, accept: "application/json" },
      timeoutMs: ANSWER_MS,
    });
    if (receipt.outcome !== "answered") throw new Problem("unavailable", "this mode sends no questions");
    const { status, body } = receipt.answer;
    if (status !== 200) throw new Problem("unavailable", `it answered ${status}`);
    return readStatement(body.toString("utf8"));
  }

  /** A cell that does not answer, or lies, keeps its last genuine statement. */
  async function ask(cell: KnownCell, seen: SeenCell | undefined): Promise<void> {
    try {
      const statement = await request(cell);
      const fault = findStatementFault(statement, cell, seen?.statement ?? null);
      if (fault !== undefined) throw new Problem("conflict", fault);
      await writer.keep(cell.name, statement, clock.now());
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (seen?.problem !== error.message) log.warn({ cell: cell.name, why: error.message }, "cell not seen");
      await writer.keepProblem(cell.name, error.message);
    }
  }

  async function signRoot(): Promise<void> {
    const own = await cells.state();
    if (!own) return;
    const named = new Set(others.map(({ name }) => name));
    const seen = (await store.listSeen()).filter(({ cell }) => named.has(cell));
    const leaves = toLeaves([own, ...seen.flatMap(({ statement }) => statement ?? [])]);
    const root = signNextRoot(key, leaves, await store.findRoot(), clock.now());
    // Another worker may have been first: the next round begins with its root.
    if (root) await writer.insertRoot({ ...root, leaves });
  }

  async function round(): Promise<void> {
    if (!(await isAllowed())) return;
    const seen = new Map((await store.listSeen()).map((each) => [each.cell, each]));
    const asked = await Promise.allSettled(others.map((cell) => ask(cell, seen.get(cell.name))));
    await signRoot();
    for (const each of asked) if (each.status === "rejected") throw each.reason;
  }

  return { round, ...createPollingLoop({ round, waitMs: ASK_MS, failure: "cells not asked", clock, log }) };
}

function readStatement(text: string): StatementBody {
  try {
    const read: unknown = JSON.parse(text);
    if (Value.Check(CellsBody, read) && read.statement) return read.statement;
  } catch (cause) {
    throw new Problem("unavailable", "its answer is not JSON", { cause });
  }
  throw new Problem("unavailable", "its answer is not that of a cell");
}
