// An example EDR adapter: it receives orders from the platform and passes them to your EDR product.
//
//   node edr-adapter.mjs --key-file edr.key --state orders.ndjson --port 8090
//
// Replace `carryOut` with calls to your product. Keep the rest: it checks signatures and runs every order only once.
import { createHmac, timingSafeEqual } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { createServer } from "node:http";
import process from "node:process";
import { parseArgs } from "node:util";

const MAX_BYTES = 64 * 1024;
// Prevents replay: an order that was captured on the network is refused after this time.
const OLDEST_SECONDS = 300;

const { values: options } = parseArgs({
  options: {
    "key-file": { type: "string", default: "edr.key" },
    state: { type: "string", default: "orders.ndjson" },
    port: { type: "string", default: "8090" },
  },
});
const key = Buffer.from(readFileSync(options["key-file"], "utf8").trim());

/** @typedef {{ status: "begun" | "completed", body: string }} Order */
/** @typedef {{ status: number, answer: object }} Reply */

/** @type {(text: string) => Order & { idempotency_key: string }} */
const parseLine = JSON.parse;
/** @type {(text: string) => { action: string, endpoint: { id: string, hostname: string } }} */
const parseCommand = JSON.parse;

/**
 * Known orders by their key. One line is written before an order is carried out, and one when it is done.
 * @type {Map<string, Order>}
 */
const orders = new Map();
for (const line of existsSync(options.state) ? readFileSync(options.state, "utf8").split("\n") : []) {
  const read = parseLineOrUndefined(line);
  if (read) orders.set(read.idempotency_key, { status: read.status, body: read.body });
}
const state = await open(options.state, "a");

/**
 * Ignores a line that a crash cut off: its event had not happened yet.
 * @param {string} line
 */
function parseLineOrUndefined(line) {
  try {
    return parseLine(line);
  } catch {
    return undefined;
  }
}

/**
 * @param {string} idempotency_key
 * @param {Order} order
 */
async function remember(idempotency_key, order) {
  // Starts a new line, in case a crash left a partial one.
  await state.appendFile(`\n${JSON.stringify({ idempotency_key, ...order })}`);
  await state.datasync();
  orders.set(idempotency_key, order);
}

/**
 * Replace this: call your product to isolate, unisolate or scan. It must be idempotent.
 * @param {ReturnType<typeof parseCommand>} command
 */
async function carryOut({ action, endpoint }) {
  process.stdout.write(`${action} ${endpoint.hostname}\n`);
}

/** @type {Map<string, Promise<void>>} */
const inProgress = new Map();

/**
 * Two requests with the same key are one order, even when the second arrives while the first is in progress.
 * @param {string} idempotency_key
 * @param {string} body
 * @returns {Promise<Reply>}
 */
async function handleOrder(idempotency_key, body) {
  const known = orders.get(idempotency_key);
  if (known && known.body !== body) return { status: 422, answer: { error: "the key was used for another order" } };
  if (known?.status === "completed") return { status: 200, answer: { status: "completed" } };
  const running = inProgress.get(idempotency_key) ?? carryOutOnce(idempotency_key, body, known);
  inProgress.set(idempotency_key, running);
  try {
    await running;
  } finally {
    inProgress.delete(idempotency_key);
  }
  return { status: 200, answer: { status: "completed" } };
}

/**
 * @param {string} idempotency_key
 * @param {string} body
 * @param {Order | undefined} known
 */
async function carryOutOnce(idempotency_key, body, known) {
  if (!known) await remember(idempotency_key, { status: "begun", body });
  await carryOut(parseCommand(body));
  await remember(idempotency_key, { status: "completed", body });
}

/**
 * @param {import("node:http").IncomingMessage} request
 * @param {Buffer} body
 */
function isGenuine({ method, url, headers }, body) {
  const timestamp = String(headers["x-soc-timestamp"]);
  const signature = String(headers["x-soc-signature"]);
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!/^\d{1,12}$/.test(timestamp) || age > OLDEST_SECONDS) return false;
  const expected = createHmac("sha256", key).update(`${method}\n${url}\n${timestamp}\n`).update(body).digest();
  const given = Buffer.from(signature.replace(/^v1=/, ""), "hex");
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** @param {AsyncIterable<Buffer>} request */
async function read(request) {
  /** @type {Buffer[]} */
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * @param {import("node:http").IncomingMessage} request
 * @returns {Promise<Reply>}
 */
async function handle(request) {
  const path = new URL(request.url ?? "/", "http://adapter").pathname;
  if (request.method !== "POST" || !path.endsWith("/actions")) return { status: 404, answer: { error: "not found" } };
  const body = await read(request);
  if (!body) return { status: 413, answer: { error: "too large" } };
  if (!isGenuine(request, body)) return { status: 401, answer: { error: "the signature is not valid" } };
  const idempotencyKey = request.headers["idempotency-key"];
  if (!idempotencyKey) return { status: 400, answer: { error: "Idempotency-Key: is required" } };
  return handleOrder(String(idempotencyKey), body.toString("utf8"));
}

/**
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 */
async function answer(request, response) {
  /** @type {Reply} */
  let reply = { status: 500, answer: { error: "internal error" } };
  try {
    reply = await handle(request);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  }
  response.writeHead(reply.status, { "content-type": "application/json" }).end(JSON.stringify(reply.answer));
}

const server = createServer({ requestTimeout: 10_000 }, (request, response) => void answer(request, response));
server.listen(Number(options.port), "127.0.0.1", () => process.stdout.write("EDR adapter is ready\n"));
process.once("SIGTERM", () => server.close(() => process.exit(0)));
