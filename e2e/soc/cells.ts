import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { type FaultProxy, startFaultProxy } from "@kit/testing/fault-proxy";
import { freePort } from "@kit/testing/process";
import { onTestFinished } from "vitest";
import { startCommand } from "../command.ts";
import { addEvidence, createSocClient, openCase, requestToken, type SocClient } from "./client.ts";
import { startDatabaseForTest } from "./database.ts";
import { startHost } from "./hosts.ts";
import { startNats } from "./nats-server.ts";

const clock = createClock();
const REPEAT_MS = 100;
const PAUSE_MS = 100;
const ANSWER_MS = 10_000;
const BATCH_SIZE = 20;

/** A complete platform: its own PostgreSQL, NATS, log engine, keys and people. All that is not inside reaches it by the line. */
export interface Cell {
  name: string;
  site: string;
  /** Its address for everything outside. */
  url: string;
  line: FaultProxy;
  /** The administrator, inside the cell. */
  client: SocClient;
  /** Keys of the API: one for the other cell and for people, one for senders of logs. */
  key: string;
  senderKey: string;
}

async function addKey({ post }: SocClient, name: string, scopes: string[]): Promise<string> {
  const { status, body } = await post("/api-keys", { name, scopes });
  if (status !== 201) throw new Error(`no key: ${status} ${JSON.stringify(body)}`);
  return body.key;
}

/** Starts a platform as an operator does before it is a cell: it makes its keys and its site, and its case has a ledger. */
async function prepareCell(name: string, site: string) {
  const { url: databaseUrl } = await startDatabaseForTest();
  const dataFolder = await mkdtemp(join(tmpdir(), `cell-${name}-`));
  onTestFinished(() => rm(dataFolder, { recursive: true, force: true }));
  const port = await freePort();
  const env = { SOC_PORT: String(port), SOC_STREAM: await startNats(), SOC_LOG_PARTITIONS: "2", SOC_STREAM_MB: "256" };
  const host = { role: "all", databaseUrl, dataFolder } as const;
  const inside = `http://127.0.0.1:${port}`;
  const first = await startHost({ ...host, env });
  const client = createSocClient(inside, await requestToken(createSocClient(inside)));
  const key = await addKey(client, "operator", [
    "sites:read",
    "sites:manage",
    "siem:read",
    "siem:search",
    "detections:read",
    "detections:write",
  ]);
  const senderKey = await addKey(client, "senders", ["siem:ingest"]);
  const made = await client.post("/sites", { name: site, profile: { asset_classes: ["it"] } });
  if (made.status !== 201) throw new Error(`no site: ${made.status}`);
  await addEvidence(client, await openCase(client), "disk");
  const key_id = await readKeyId(client);
  await first.stop();
  const line = await startFaultProxy(port);
  onTestFinished(() => line.close());
  const url = `http://127.0.0.1:${line.port}`;
  return { name, site, url, line, key, senderKey, key_id, host, env, inside };
}

/** The first checkpoint is signed within a minute. */
async function readKeyId({ get }: SocClient): Promise<string> {
  const deadline = clock.deadline(120_000);
  for (;;) {
    const [checkpoint] = (await get("/ledger/checkpoints")).body.items;
    if (checkpoint) return checkpoint.key_id;
    await clock.sleep(500, deadline);
  }
}

/** Two complete cells, and a folder with the list of them. */
export async function startTwoCells() {
  const prepared = await Promise.all([prepareCell("north", "Cairo"), prepareCell("south", "Aswan")]);
  const folder = await mkdtemp(join(tmpdir(), "cells-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const { name, key } of prepared) await writeFile(join(folder, `${name}.key`), key, { mode: 0o600 });
  const list = prepared.map(({ name, url, key_id }, place) => ({
    name,
    url,
    key_id,
    ring: place + 1,
    api_key_file: `${name}.key`,
  }));
  const file = join(folder, "cells.json");
  await writeFile(file, JSON.stringify(list));
  const cells: Cell[] = [];
  for (const { host, env, inside, ...cell } of prepared) {
    await startHost({ ...host, env: { ...env, SOC_CELL: cell.name, SOC_CELLS_FILE: file } });
    cells.push({ ...cell, client: createSocClient(inside, await requestToken(createSocClient(inside))) });
  }
  const [north, south] = cells;
  if (!north || !south) throw new Error("two cells were started");
  return { north, south, folder, file, keyIds: prepared.map(({ key_id }) => key_id) };
}

/** Starts `manara-soc …` as the operator of all cells. */
export const startCellsCommand = (file: string, ...words: string[]) =>
  startCommand("soc", words, { SOC_CELLS_FILE: file });

export const runCellsCommand = (file: string, ...words: string[]) => startCellsCommand(file, ...words).ended;

/** Sends one batch with a key, and returns the status; undefined without an answer. */
export async function sendOnce({ url, senderKey }: Cell, batchId: string, events: readonly object[]) {
  const answer = await fetch(`${url}/api/v1/siem/ingest`, {
    method: "POST",
    headers: { "x-api-key": senderKey, "content-type": "application/json", "x-batch-id": batchId },
    body: JSON.stringify(events),
    signal: clock.deadline(ANSWER_MS),
  }).catch(() => undefined);
  return answer && { status: answer.status, body: await answer.json() };
}

export interface Sent {
  users: string[];
  /** How long each acknowledged batch took, from its first attempt. */
  tookMs: { atMs: number; tookMs: number }[];
  /** How many attempts had another answer than 202, or none. */
  refusals: number;
  statuses: Record<string, number>;
}

/**
 * A sender outside of the cell that keeps what is not acknowledged, and sends it again. `follow` is the cell to which it goes
 * when the first one says that it no longer has the site.
 */
export function startSender(cell: Cell, follow?: Cell) {
  const over = new AbortController();
  const sent: Sent = { users: [], tookMs: [], refusals: 0, statuses: {} };
  let receiver = cell;

  async function send(batchId: string, events: readonly object[]): Promise<boolean> {
    const status = (await sendOnce(receiver, batchId, events))?.status ?? "none";
    sent.statuses[status] = (sent.statuses[status] ?? 0) + 1;
    if (status === 202) return true;
    sent.refusals += 1;
    if (status === 421 && follow) receiver = follow;
    return false;
  }

  async function run(): Promise<void> {
    for (let turn = 0; !over.signal.aborted; turn += 1) {
      const users = Array.from({ length: BATCH_SIZE }, (_, n) => `${cell.name}-${turn}-${n}`);
      const events = users.map((user) => ({ source: "load", site: cell.site, user, message: "as usual" }));
      const atMs = clock.monotonicMs();
      while (!(await send(`load-${turn}`, events))) await clock.sleep(REPEAT_MS);
      sent.users.push(...users);
      sent.tookMs.push({ atMs, tookMs: clock.monotonicMs() - atMs });
      await clock.sleep(PAUSE_MS);
    }
  }
  const running = run();
  return {
    sent,
    async stop(): Promise<Sent> {
      over.abort();
      await running;
      return sent;
    },
  };
}

/** The users of all stored logs of the sender. */
export async function listUsers({ url, key }: Cell): Promise<string[]> {
  const answer = await fetch(`${url}/api/v1/siem/logs/export?query=source:load&format=ndjson&limit=1000000`, {
    headers: { "x-api-key": key },
  });
  if (answer.status !== 200) throw new Error(`the logs cannot be exported: ${answer.status}`);
  const text = (await answer.text()).trimEnd();
  return text === "" ? [] : text.split("\n").map((line) => JSON.parse(line).user);
}
