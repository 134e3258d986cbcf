import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import type { Kysely } from "kysely";
import type { Tables, Tx } from "../../foundation/database/tables.ts";
import { verifyEd25519 } from "../../foundation/records/digest.ts";
import type { LedgerKey } from "../../foundation/records/ledger-key.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { createCheckStore } from "./check.store.ts";
import type { CheckpointFile } from "./checkpoint-file.store.ts";
import type { Acceptance, CheckpointBody } from "./ledger.schema.ts";
import { createLedgerStore } from "./ledger.store.ts";
import { type CheckpointLine, formatCheckpoint, isAcceptance, isSuccession, signCheckpoint } from "./ledger.ts";
import { findEntryFault } from "./ledger-check.ts";
import { createLedgerCheck } from "./ledger-check.worker.ts";
import {
  computeRangeHash,
  grow,
  leafHashOf,
  listSubtrees,
  type NodePlace,
  type Range,
  type TreeNode,
} from "./merkle.ts";
import { findPath, readSuccession, type Succession } from "./succession.ts";
import { createSuccessionsStore } from "./successions.store.ts";
import { createTreeStore } from "./tree.store.ts";
import { createWitnessStore } from "./witness.store.ts";

export interface LedgerWorkerDeps {
  db: Kysely<Tables>;
  runtime: Pick<RuntimeService, "truth">;
  key: LedgerKey;
  /** The name of this host and its data folder, used for its findings. */
  witness: string;
  file: CheckpointFile;
  clock: Pick<Clock, "now" | "sleep">;
  log: Pick<Log, "info" | "error">;
}
export type LedgerWorker = ReturnType<typeof createLedgerWorker>;

type Tree = Pick<CheckpointBody, "tree_size" | "root_hash" | "at">;

const CHECKPOINT_EVERY_MS = 60_000;
const RETRY_MS = 1000;
const BATCH_SIZE = 1000;
const MAX_FAULTS = 100;
const FIRST_START = { accepted_by: "manara-soc", reason: "first start" };

/** Adds entries to the tree and signs checkpoints. One process at a time does this, and any process can. */
export function createLedgerWorker({ db, runtime, key, witness, file, clock, log }: LedgerWorkerDeps) {
  const closing = new AbortController();
  let alarm: string | undefined;
  let wasCurrent = true;

  function updateAlarm(found: string | undefined): void {
    if (found !== undefined && alarm !== found)
      log.error({ reason: found }, "ledger does not match its signed checkpoint");
    if (found === undefined && alarm !== undefined) log.info({}, "ledger signing resumed");
    alarm = found;
  }

  /** A process with a former key does not grow the tree; a process with the current key does. */
  function updateCurrent(isCurrent: boolean): void {
    if (!isCurrent && wasCurrent) log.error({}, "ledger key was replaced; restart this process with the new key");
    wasCurrent = isCurrent;
  }

  const check = createLedgerCheck({ db, clock });

  async function nodesAtEdge(tx: Tx, size: number): Promise<TreeNode[]> {
    const places = listSubtrees({ start: 0, end: size });
    const hashAt = await createLedgerStore(tx).hashesAt(places);
    return places.map((place) => ({ ...place, hash: hashAt(place) }));
  }

  async function rootAt(tx: Tx, size: number): Promise<string> {
    const range = { start: 0, end: size };
    return computeRangeHash(range, await createLedgerStore(tx).hashesAt(listSubtrees(range)));
  }

  /** Returns the first fault found; undefined if the checked entries are intact. */
  async function findFault(tx: Tx): Promise<string | undefined> {
    const [first, ...others] = await createCheckStore(tx).listFaults(MAX_FAULTS);
    return others.length === 0 ? first?.what : `${first?.what}, and ${others.length} more`;
  }

  /** Detects a host that has lost its file. A host without one is new and starts with the newest signed checkpoint. */
  async function adopt(tx: Tx): Promise<string | undefined> {
    const latest = await createLedgerStore(tx).findCheckpoint();
    if (!latest) return undefined;
    if ((await createWitnessStore(tx, witness).readSize()) > 0) {
      return `the checkpoint file is gone; ${latest.tree_size} entries had been signed`;
    }
    const mismatch = await compare(tx, latest, "the database");
    if (mismatch !== undefined) return mismatch;
    await file.append(latest);
    log.info({ tree_size: latest.tree_size, at: latest.at }, "host starts a ledger checkpoint file");
    return undefined;
  }

  /** Returns why the database no longer matches the last external checkpoint; undefined if it does. */
  async function findMismatch(tx: Tx, last: CheckpointLine | "damaged" | undefined): Promise<string | undefined> {
    if (last === undefined) return adopt(tx);
    if (last === "damaged") return "the last line of the checkpoint file is not a checkpoint";
    if (isAcceptance(last)) {
      await createCheckStore(tx).acceptFaults();
      return undefined;
    }
    return isSuccession(last) ? compareSuccession(tx, last.succession) : compare(tx, last, "the file");
  }

  /** A succession is the last line only if this host failed before it wrote the next checkpoint. */
  async function compareSuccession(tx: Tx, given: Succession): Promise<string | undefined> {
    const isKnown = readSuccession(given) && (await findPathTo(tx, given.next_key_id));
    return isKnown ? compareTree(tx, given) : "the last line of the checkpoint file names another key";
  }

  async function compare(tx: Tx, checkpoint: CheckpointBody, place: string): Promise<string | undefined> {
    const { at, key_id } = checkpoint;
    const publicKey = key_id === key.key_id ? key.public_key : (await findPathTo(tx, key_id))?.[0]?.public_key;
    if (publicKey === undefined || !isSignedBy({ key_id, public_key: publicKey }, checkpoint)) {
      return `the checkpoint of ${at} in ${place} was not signed by this key`;
    }
    return compareTree(tx, checkpoint);
  }

  /** Finds the path from a former key to the key of this process through successions signed by each key. */
  async function findPathTo(tx: Tx, former: string): Promise<Succession[] | undefined> {
    return findPath(former, key.key_id, await createSuccessionsStore(tx).list());
  }

  async function compareTree(tx: Tx, { tree_size, root_hash, at }: Tree): Promise<string | undefined> {
    const size = await createTreeStore(tx).readSize();
    if (size < tree_size) return `the ledger has ${size} entries, but had ${tree_size} at ${at}: it was set back`;
    const range = { start: 0, end: tree_size };
    const hashAt = await createLedgerStore(tx).hashesAt(listSubtrees(range));
    const isSigned = matchesRoot(range, hashAt, root_hash);
    return isSigned ? undefined : `the first ${tree_size} entries differ from those signed at ${at}`;
  }

  /** Reports whether this process holds the lock and no host has detected a change of the database. */
  async function mayContinue(tx: Tx): Promise<boolean> {
    const tree = createTreeStore(tx);
    if (!(await tree.tryLock())) return false;
    const isCurrent = await createSuccessionsStore(tx).isCurrent(key.key_id);
    updateCurrent(isCurrent);
    if (!isCurrent) return false;
    const last = await file.last();
    const found = await findMismatch(tx, last);
    const isAccepted = last !== undefined && last !== "damaged" && isAcceptance(last);
    const alarms = await createWitnessStore(tx, witness).record({ alarm: found, isAccepted, at: clock.now() });
    updateAlarm(alarms ?? (await findFault(tx)));
    await tree.writeStatus(alarm, clock.now());
    return alarm === undefined;
  }

  /** Adds one batch to the tree. Returns true if there may be more. */
  async function growOnce(tx: Tx): Promise<boolean> {
    const tree = createTreeStore(tx);
    if (!(await mayContinue(tx))) return false;
    const waiting = await tree.listWaiting(BATCH_SIZE);
    const faults = waiting.flatMap((each) => findEntryFault(each, each.entry) ?? []);
    await createCheckStore(tx).recordFaults(faults, clock.now());
    if (waiting.length === 0 || faults.length > 0) return false;
    const taken = waiting.flatMap(({ entry }) => entry ?? []);
    if ((await file.last()) === undefined) await file.append(FIRST_START);
    const size = await tree.readSize();
    await tree.removeWaiting(waiting);
    const leafHashes = taken.map(({ entry_hash }) => leafHashOf(Buffer.from(entry_hash, "hex")));
    await tree.insertLeaves(size, taken);
    await tree.insertNodes(grow(size, await nodesAtEdge(tx, size), leafHashes));
    const tree_size = size + taken.length;
    const root_hash = await rootAt(tx, tree_size);
    await tree.insertCheckpoint(signCheckpoint(key, { tree_size, root_hash, at: clock.now().toISOString() }));
    return taken.length === BATCH_SIZE;
  }

  /** Writes only committed checkpoints to the file, so that the file is never ahead of an intact database. */
  async function publish(tx: Tx): Promise<void> {
    if (!(await mayContinue(tx))) return;
    const latest = await createLedgerStore(tx).findCheckpoint();
    const last = await file.last();
    if (!latest || last === undefined || last === "damaged") return;
    if (isAcceptance(last)) log.info(last, "ledger accepted by the operator");
    if (isAcceptance(last)) await file.append(latest);
    else await continueFile(tx, last, latest);
    await createWitnessStore(tx, witness).writeSize(latest.tree_size);
  }

  /** Adds successions, so that the file alone shows how its keys follow each other. */
  async function continueFile(tx: Tx, last: Exclude<CheckpointLine, Acceptance>, latest: CheckpointBody) {
    const [size, signer] = isSuccession(last)
      ? [last.succession.tree_size, last.succession.next_key_id]
      : [last.tree_size, last.key_id];
    if (latest.tree_size <= size) return;
    const path = findPath(signer, latest.key_id, await createSuccessionsStore(tx).list()) ?? [];
    await file.append(...path.map((succession) => ({ succession })), latest);
  }

  async function sequence(): Promise<void> {
    await check.checkShare();
    while (await db.transaction().execute(growOnce));
    await db.transaction().execute(publish);
  }

  return {
    sequence,

    /** Runs immediately and then every minute until it is closed. */
    async run(): Promise<void> {
      while (!closing.signal.aborted) {
        const truth = await runtime.truth();
        const isUnreachable = truth.is_internal_workflows_allowed && !truth.is_database_available;
        if (truth.is_internal_workflows_allowed && !isUnreachable) {
          // Waiting entries stay queued, and the next round retries.
          await sequence().catch((error: unknown) => log.error({ err: error }, "ledger checkpoint failed"));
        }
        await clock.sleep(isUnreachable ? RETRY_MS : CHECKPOINT_EVERY_MS, closing.signal).catch(() => undefined);
      }
    },

    close: (): void => closing.abort(),
  };
}

/** Is also false if a node of the tree is missing. */
function matchesRoot(range: Range, hashAt: (place: NodePlace) => string, root_hash: string): boolean {
  try {
    return computeRangeHash(range, hashAt) === root_hash;
  } catch {
    return false;
  }
}

function isSignedBy({ key_id, public_key }: Omit<LedgerKey, "sign">, checkpoint: CheckpointBody): boolean {
  const [publicKey, signature] = [Buffer.from(public_key, "hex"), Buffer.from(checkpoint.signature, "hex")];
  const message = Buffer.from(formatCheckpoint(checkpoint));
  return checkpoint.key_id === key_id && verifyEd25519(publicKey, message, signature);
}
