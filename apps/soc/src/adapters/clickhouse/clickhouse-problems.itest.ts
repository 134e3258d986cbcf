import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { silentLog } from "@kit/log/silent";
import { freePort } from "@kit/testing/process";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { noEvaluation } from "../../../testing/harness/partition-streams.ts";
import { sampleLog } from "../../../testing/servers/log-engine.ts";
import { natsSource } from "../../../testing/servers/nats-streams.ts";
import type { StreamEvent } from "../../foundation/events/event-stream.ts";
import { readJsonEvents } from "../../logs/intake/formats/json-events.ts";
import { createDeadLettersStore } from "../../logs/intake/pipeline/dead-letters.store.ts";
import { createIntakeParts } from "../../logs/intake.feature.ts";
import { createPartitionGroup } from "../../logs/partitions/partition-group.ts";
import { createPartitionsStore } from "../../logs/partitions/partitions.store.ts";
import { createClickhouseLogStore } from "./clickhouse.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const clock = createClock();
let answer: Answer;
let requests = 0;
const server = createServer((request, response) => {
  requests += 1;
  request.resume();
  request.on("end", () => answer(request, response));
});
let url = "";
let platform: TestPlatform;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  platform = await testPlatform("real");
  await platform.runtime.truth();
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await platform.close();
});

const exception =
  (status: number, code: number, type: string, text = "it is so"): Answer =>
  (_request, response) => {
    response.writeHead(status, { "x-clickhouse-exception-code": String(code) });
    response.end(`Code: ${code}. DB::Exception: ${text}. (${type}) (version 25.8.1.1 (official build))\n`);
  };
const page =
  (status: number, body: string): Answer =>
  (_request, response) => {
    response.writeHead(status, { "content-type": "text/html" });
    response.end(body);
  };

/** src/Common/ErrorCodes.cpp of ClickHouse. */
const CODES: readonly [number, number, string, string?][] = [
  [404, 60, "UNKNOWN_TABLE"],
  [404, 81, "UNKNOWN_DATABASE"],
  [403, 516, "AUTHENTICATION_FAILED"],
  [403, 497, "ACCESS_DENIED"],
  [403, 192, "UNKNOWN_USER"],
  [403, 193, "WRONG_PASSWORD"],
  [403, 194, "REQUIRED_PASSWORD"],
  [403, 195, "IP_ADDRESS_NOT_ALLOWED"],
  [429, 201, "QUOTA_EXCEEDED"],
  [403, 164, "READONLY"],
  [500, 242, "TABLE_IS_READ_ONLY"],
  [500, 1001, "STD_EXCEPTION", "std::filesystem: No space left on device"],
  [500, 243, "NOT_ENOUGH_SPACE"],
  [500, 75, "CANNOT_WRITE_TO_FILE_DESCRIPTOR"],
  [500, 74, "CANNOT_READ_FROM_FILE_DESCRIPTOR"],
  [500, 76, "CANNOT_OPEN_FILE"],
  [500, 33, "CANNOT_READ_ALL_DATA"],
  [500, 16, "NO_SUCH_COLUMN_IN_TABLE"],
  [500, 47, "UNKNOWN_IDENTIFIER"],
  [500, 62, "SYNTAX_ERROR"],
  [500, 115, "UNKNOWN_SETTING"],
  [500, 117, "INCORRECT_DATA", "Unknown field found while parsing JSONEachRow format: site: (at row 1)"],
  [500, 159, "TIMEOUT_EXCEEDED"],
  [500, 160, "TOO_SLOW"],
  [500, 173, "CANNOT_ALLOCATE_MEMORY"],
  [500, 202, "TOO_MANY_SIMULTANEOUS_QUERIES"],
  [500, 203, "NO_FREE_CONNECTION"],
  [500, 209, "SOCKET_TIMEOUT"],
  [500, 210, "NETWORK_ERROR"],
  [500, 218, "TABLE_IS_DROPPED"],
  [500, 225, "NO_ZOOKEEPER"],
  [500, 236, "ABORTED"],
  [500, 241, "MEMORY_LIMIT_EXCEEDED"],
  [500, 252, "TOO_MANY_PARTS"],
  [500, 279, "ALL_CONNECTION_TRIES_FAILED"],
  [500, 285, "TOO_FEW_LIVE_REPLICAS"],
  [500, 286, "UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE"],
  [500, 319, "UNKNOWN_STATUS_OF_INSERT"],
  [500, 359, "TABLE_SIZE_EXCEEDS_MAX_DROP_SIZE_LIMIT"],
  [500, 373, "SESSION_IS_LOCKED"],
  [500, 394, "QUERY_WAS_CANCELLED"],
  [500, 395, "FUNCTION_THROW_IF_VALUE_IS_NON_ZERO"],
  [500, 425, "SYSTEM_ERROR"],
  [500, 439, "CANNOT_SCHEDULE_TASK"],
  [500, 499, "S3_ERROR"],
  [500, 571, "DATABASE_REPLICATION_FAILED"],
  [500, 49, "LOGICAL_ERROR"],
  [500, 999, "KEEPER_EXCEPTION"],
  [500, 1002, "UNKNOWN_EXCEPTION"],
];

const ERRORS: readonly [string, Answer][] = [
  ...CODES.map(([status, code, type, text]): [string, Answer] => [type, exception(status, code, type, text)]),
  ["400 of a proxy", page(400, "<html>Bad Request</html>")],
  ["401 of a proxy", page(401, "<html>Unauthorized</html>")],
  ["404 of a balancer", page(404, "default backend - 404")],
  ["413 of a proxy", page(413, "<html>Request Entity Too Large</html>")],
  ["429 of a proxy", page(429, "slow down")],
  ["500 without a text", page(500, "")],
  ["502 of a balancer", page(502, "<html>Bad Gateway</html>")],
  ["503 of a balancer", page(503, "<html>no server is available</html>")],
  ["504 of a balancer", page(504, "<html>Gateway Timeout</html>")],
  ["a reset connection", (request) => void request.socket.resetAndDestroy()],
  ["a closed connection", (request) => void request.socket.destroy()],
  ["an answer that is not HTTP", (request) => void request.socket.end("\x15\x03\x03\x00\x02\x02\x28")],
];

/** Starts the intake, and the owner of its only partition with an endless lease. */
async function startWriter() {
  const logStore = createClickhouseLogStore({ url, retentionDays: 90 });
  const events: StreamEvent[] = [];
  const source = {
    ...natsSource({ url: "nats://127.0.0.1:1", name: "never" }),
    publish: async (published: readonly StreamEvent[]) => void events.push(...published),
  };
  const former = { publish: async () => undefined, consume: () => source, close: async () => undefined };
  const list = async () => ({ partitions: new Map(), former: undefined });
  // The pauses between attempts are irrelevant here.
  const impatient = { ...clock, sleep: async () => undefined };
  const surroundings = { ...platform, clock: impatient, ids: createIds(clock), log: silentLog };
  const refuse = async () => Promise.reject(new Error("unexpected alert"));
  const alerts = { create: refuse, closeByItself: refuse };
  const streams = { sources: [source], former, list, deleteUpTo: async () => undefined };
  const made = createIntakeParts(surroundings, { logStore, alerts, streams, name: "table", uncertainMs: 0 });
  const { db } = platform;
  const store = createPartitionsStore(db);
  await sql`DELETE FROM log_partitions`.execute(db);
  await store.create(new Map([[0, "b:0"]]));
  await store.acquire(0, "w");
  await sql`UPDATE log_partitions SET lease_until = now() + interval '1 h'`.execute(db);
  const deadLetters = createDeadLettersStore(db);
  const group = createPartitionGroup({
    ...surroundings,
    ...made,
    store,
    logStore,
    evaluation: noEvaluation,
    deadLetters,
  });
  const handle = (attempt: number) =>
    group.handle({
      ...{ partition: 0, holder: { worker: "w", epoch: 1 }, from: "b:0", to: "b:1", events },
      ...{ isAgain: attempt > 1, isLastTry: false, leaseUntilMs: () => clock.now().getTime() + 3_600_000 },
    });
  return { ...made, logStore, handle };
}

const countLetters = async () => {
  const { rows } = await sql<{ count: string }>`SELECT count(*) FROM dead_letters`.execute(platform.db);
  return Number(rows[0]?.count);
};

it("has a table of at least 60 errors", () => {
  expect(ERRORS.length).toBeGreaterThanOrEqual(60);
});

it.each(process.env.PROVE === "full" ? ERRORS : ERRORS.filter((_, place) => place % 5 === 0))(
  "keeps acknowledged logs in the stream during the error %s",
  { timeout: 30_000 },
  async (name, failure) => {
    answer = failure;
    const { intake, handle, logStore } = await startWriter();
    await expect(logStore.insert([sampleLog({ id: "1" })], { token: name })).rejects.toMatchObject({
      kind: "unavailable",
    });
    await intake.accept(readJsonEvents(`{"message":"acknowledged"}`), { format: "json", sender: "key:edge" });
    // More attempts than for a chunk that fails because of its own content.
    for (let attempt = 1; attempt <= 12; attempt += 1) await expect(handle(attempt)).rejects.toThrow();
    expect(await countLetters()).toBe(0);
    answer = (_request, response) => void response.end('{"found":0}\n');
    await handle(13);
    await intake.close();
    await logStore.close();
  },
);

it("waits for a server that refuses connections", async () => {
  const logStore = createClickhouseLogStore({ url: `http://127.0.0.1:${await freePort()}`, retentionDays: 90 });
  const refused = logStore.insert([sampleLog({ id: "1" })], { token: "1" });
  await expect(refused).rejects.toMatchObject({ kind: "unavailable" });
  await logStore.close();
});

it("rejects as invalid only what the store reports about a row, using the last row number", async () => {
  const logStore = createClickhouseLogStore({ url, retentionDays: 90 });
  const insert = () => logStore.insert([sampleLog({ id: "1" })], { token: "1" });
  answer = exception(400, 27, "CANNOT_PARSE_INPUT_ASSERTION_FAILED", "before: 'x (at row 9) y': (at row 3)");
  await expect(insert()).rejects.toMatchObject({ kind: "invalid", message: "batch[2]: cannot be stored" });
  answer = exception(400, 691, "UNKNOWN_ELEMENT_OF_ENUM", "Unknown element 'x' for enum");
  await expect(insert()).rejects.toMatchObject({ kind: "invalid", message: "batch: cannot be stored" });
  await logStore.close();
});

it("retries syslog messages until its patience ends, whatever the error", async () => {
  answer = exception(403, 516, "AUTHENTICATION_FAILED");
  const logStore = createClickhouseLogStore({ url, retentionDays: 90 });
  const impatient = { ...clock, sleep: async () => undefined };
  const surroundings = { ...platform, clock: impatient, ids: createIds(clock), log: silentLog };
  const refuse = async () => Promise.reject(new Error("unexpected alert"));
  const alerts = { create: refuse, closeByItself: refuse };
  const { delivery, drops, intake } = createIntakeParts(surroundings, {
    logStore,
    alerts,
    name: "syslog",
    uncertainMs: 0,
  });
  requests = 0;
  expect(await delivery.deliver([{ text: "<13>hello", isCut: false }], "syslog/tcp:127.0.0.1")).toBe(false);
  // Nine deliveries, each with the retries of one insert.
  expect(requests).toBe(9 * 8);
  await drops.flush();
  expect((await drops.list({})).items).toMatchObject([{ sender: "syslog/tcp:127.0.0.1", dropped: 1 }]);
  await intake.close();
  await logStore.close();
});

it("ends an insert that is not answered within its time limit", { timeout: 30_000 }, async () => {
  answer = () => undefined;
  const logStore = createClickhouseLogStore({ url, retentionDays: 90, limits: { insertSeconds: 1 } });
  const startMs = clock.monotonicMs();
  const hanging = logStore.insert([sampleLog({ id: "1" })], { token: "1" });
  await expect(hanging).rejects.toMatchObject({ kind: "unavailable" });
  expect(clock.monotonicMs() - startMs).toBeLessThan(10_000);
  await logStore.close();
});
