import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock, type FakeClock } from "@kit/clock/fake";
import { createResolver } from "@kit/guard/resolver";
import { silentLog } from "@kit/log/silent";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TestPlatform, testPlatform } from "../../../testing/harness/feature-app.ts";
import { hasRsyslog, makeCertificates, startRsyslog } from "../../../testing/processes/shippers.ts";
import { type AuditStore, createAuditStore } from "../../foundation/audit/audit.store.ts";
import { createMemoryOutboundStore } from "../../foundation/outbound/memory-outbound.store.ts";
import { createOutboundService } from "../../foundation/outbound/outbound.service.ts";
import { createOutsideGuard } from "../../foundation/outbound/outside-guard.ts";
import { createSyslogSender } from "../../foundation/outbound/syslog.service.ts";
import type { SyslogServer } from "../../foundation/outbound/syslog.ts";
import { type LedgerKey, openLedgerKey } from "../../foundation/records/ledger-key.ts";
import { createAuditChain } from "../audit-chain/audit-chain.ts";
import { createAuditChainWorker } from "../audit-chain/audit-chain.worker.ts";
import { createAuditCheck } from "../audit-chain/audit-check.ts";
import { createLedgerService } from "../ledger/ledger.service.ts";
import { createShowcaseLedgerStore } from "../ledger/ledger.showcase.ts";
import { createLedgerStore } from "../ledger/ledger.store.ts";
import { createForwardingStore } from "./audit-forwarding.store.ts";
import { createAuditForwarding } from "./audit-forwarding.worker.ts";
import { createOtlpReceiver, OTLP_DESTINATION } from "./otlp-receiver.ts";
import type { Receiver } from "./receiver.ts";
import { createSyslogReceiver } from "./syslog-receiver.ts";

let platform: TestPlatform;
let clock: FakeClock;
let audit: AuditStore;
let chain: ReturnType<typeof createAuditChainWorker>;
let folder: string;
const closing: (() => unknown)[] = [];

beforeEach(async () => {
  platform = await testPlatform("real");
  clock = createFakeClock();
  folder = mkdtempSync(join(tmpdir(), "audit-forwarding-"));
  const { db, runtime } = platform;
  const key: LedgerKey = await openLedgerKey(join(folder, "key.pem"));
  audit = createAuditStore(platform.ids, key);
  const stores = { database: createLedgerStore(db), showcase: createShowcaseLedgerStore([], key) };
  const ledger = createLedgerService({ runtime, stores, key, clock });
  const adding = createAuditChain({ ledger, key, clock });
  const alerts = { create: () => expect.fail("no fault is expected") };
  const check = createAuditCheck({ chain: adding, alerts, key, clock, log: silentLog });
  chain = createAuditChainWorker({ db, runtime, chain: adding, check, key, clock, log: silentLog });
  await chain.round(1);
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await platform.close();
});

function createSending() {
  const { runtime, clock: real, ids } = platform;
  const memory = createMemoryOutboundStore({ start: { id: ids.next(), at: real.now(), mode: "real" }, isAlone: false });
  return { runtime, stores: { database: memory, showcase: memory }, clock: real, ids, log: silentLog };
}

function sendTo(server: SyslogServer): Receiver {
  const send = createSyslogSender({ ...createSending(), resolve: createResolver() });
  return createSyslogReceiver({ server, hostname: "soc-1", send });
}

function start(receiver: Receiver) {
  const { db, runtime } = platform;
  return createAuditForwarding({ db, runtime, receiver, clock, log: silentLog });
}

async function record(...actions: string[]): Promise<void> {
  for (const action of actions) {
    const details = { text: "سطر\nnext" };
    await audit.record(platform.db, { actor: "sara", action, subject_type: "approval", subject_id: "one", details });
  }
  await chain.round(1);
}

const readPosition = (receiver: string) => createForwardingStore(platform.db).readStatus(receiver);

async function freePort(): Promise<number> {
  const server = createTcpServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe.skipIf(!hasRsyslog)("with rsyslog", () => {
  const hasTls = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu"].some((each) =>
    existsSync(`${each}/rsyslog/lmnsd_gtls.so`),
  );

  it.each(["udp", "tcp", ...(hasTls ? (["tls"] as const) : [])] as const)(
    "stores every entry sent over %s",
    async (protocol) => {
      const port = await freePort();
      const file = join(folder, "received.log");
      const certificates = makeCertificates(folder);
      const tls = `global(defaultNetstreamDriverCAFile="${certificates.ca}" defaultNetstreamDriverCertFile="${certificates.cert}" defaultNetstreamDriverKeyFile="${certificates.key}")\n`;
      const tlsInput =
        'module(load="imtcp" streamDriver.name="gtls" streamDriver.mode="1" streamDriver.authMode="anon")';
      const module =
        protocol === "udp" ? 'module(load="imudp")' : protocol === "tls" ? tlsInput : 'module(load="imtcp")';
      const rsyslog = startRsyslog(
        folder,
        `${protocol === "tls" ? tls : ""}global(maxMessageSize="64k")\n${module}
       input(type="im${protocol === "udp" ? "udp" : "tcp"}" port="${port}" address="127.0.0.1")
       template(name="fields" type="string" string="%pri%|%hostname%|%app-name%|%msgid%|%msg%\\n")
       action(type="omfile" file="${file}" template="fields")`,
      );
      closing.push(() => rsyslog.stop());
      const ca = protocol === "tls" ? readFileSync(certificates.ca, "utf8") : undefined;
      const worker = start(sendTo({ protocol, host: "127.0.0.1", port, ca }));
      await worker.round();
      const read = () => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []);
      // UDP has no acknowledgement, so the server must be up first.
      const { createConnection } = await import("node:net");
      if (protocol === "udp") await new Promise((resolve) => setTimeout(resolve, 1500));
      else
        await expect
          .poll(
            () =>
              new Promise((resolve) => {
                const socket = createConnection(port, "127.0.0.1", () => resolve(true)).on("error", () =>
                  resolve(false),
                );
                socket.on("connect", () => socket.destroy());
              }),
            { timeout: 10_000 },
          )
          .toBe(true);
      await record("approval.created", "approval.approved");
      await worker.round();
      expect(await readPosition("syslog")).toMatchObject({ waiting: 0, failure: null });
      await expect.poll(() => read().filter((line) => line.includes("approval.")).length, { timeout: 10_000 }).toBe(2);
      const [pri, hostname, app, msgid, ...message] =
        read()
          .find((line) => line.includes("approval.approved"))
          ?.split("|") ?? [];
      expect([pri, hostname, app, msgid]).toEqual(["110", "soc-1", "manara-soc", "audit"]);
      expect(JSON.parse(message.join("|"))).toMatchObject({
        actor: "sara",
        action: "approval.approved",
        details: { text: "سطر\nnext" },
        ledger: { batch: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      });
    },
  );
});

it("sends again what a syslog server did not read to the end, and shows the failure", async () => {
  const port = await freePort();
  const worker = start(sendTo({ protocol: "tcp", host: "127.0.0.1", port }));
  await worker.round();
  await record("approval.approved");
  await worker.round();
  expect(await readPosition("syslog")).toMatchObject({ waiting: 1, failures: 1, failure: expect.any(String) });
  let text = "";
  const server = createTcpServer((socket) => socket.on("data", (chunk) => (text += chunk.toString())));
  server.listen(port, "127.0.0.1");
  closing.push(() => server.close());
  await worker.round();
  expect(text).toBe("");
  await clock.advance(5000);
  await worker.round();
  expect(await readPosition("syslog")).toMatchObject({ waiting: 0, failures: 0 });
  expect(text).toMatch(/^\d+ <110>1 \S+Z soc-1 manara-soc - audit - \{"id":/);
});

interface LogRecord {
  timeUnixNano: string;
  severityNumber: number;
  attributes: { key: string; value: object }[];
}

/** Checks each record of a request and returns the actions in it. */
function readActions(body: string): string[] {
  const { resourceLogs } = JSON.parse(body) as { resourceLogs: { scopeLogs: { logRecords: LogRecord[] }[] }[] };
  const records = resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords));
  return records.map(({ timeUnixNano, severityNumber, attributes }) => {
    expect(timeUnixNano).toMatch(/^\d{19}$/);
    expect(severityNumber).toBe(9);
    const action = attributes.find(({ key }) => key === "audit.action");
    return String(Object.values(action?.value ?? {})[0]);
  });
}

/** Enforces OTLP/HTTP: path, content type, and the fields of a request. */
async function startOtlp(answers: ((response: ServerResponse) => void)[]) {
  const received: string[] = [];
  const server: Server = createServer((request: IncomingMessage, response: ServerResponse) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      const isRight =
        request.method === "POST" &&
        request.url === "/v1/logs" &&
        request.headers["content-type"] === "application/json";
      if (!isRight || request.headers.authorization !== "Bearer key") return response.writeHead(400).end();
      const answer = answers.shift();
      if (answer) return answer(response);
      received.push(...readActions(body));
      return response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  closing.push(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/logs`;
  const outbound = createOutboundService({
    ...createSending(),
    guard: createOutsideGuard(),
    privateDestinations: new Set([OTLP_DESTINATION]),
  });
  const settings = { url, headers: { authorization: "Bearer key" } };
  const receiver = createOtlpReceiver({ settings, hostname: "soc-1", outbound, now: () => clock.now() });
  return { received, receiver };
}

it("sends entries by OTLP in order, by one of two processes at a time", async () => {
  const { received, receiver } = await startOtlp([]);
  const workers = [start(receiver), start(receiver)];
  await workers[0]?.round();
  for (let batch = 0; batch < 6; batch += 1) await record(`alert.updated${batch}`);
  await Promise.all(workers.map((worker) => worker.round()));
  await workers[0]?.round();
  expect(received).toEqual([
    "alert.updated0",
    "alert.updated1",
    "alert.updated2",
    "alert.updated3",
    "alert.updated4",
    "alert.updated5",
  ]);
});

it.each([
  ["429 with Retry-After", (response: ServerResponse) => response.writeHead(429, { "retry-after": "40" }).end(), 40],
  ["503 with Retry-After", (response: ServerResponse) => response.writeHead(503, { "retry-after": "40" }).end(), 40],
  ["500", (response: ServerResponse) => response.writeHead(500).end(), 5],
])("waits after %s, and then sends the entries again", async (_, answer, seconds) => {
  const { received, receiver } = await startOtlp([answer]);
  const worker = start(receiver);
  await worker.round();
  await record("approval.approved");
  await worker.round();
  expect(await readPosition("otlp")).toMatchObject({ waiting: 1, failures: 1 });
  await clock.advance((seconds - 1) * 1000);
  await worker.round();
  expect(received).toEqual([]);
  await clock.advance(1000);
  await worker.round();
  expect(received).toEqual(["approval.approved"]);
  expect(await readPosition("otlp")).toMatchObject({ waiting: 0, failures: 0 });
});

it("does not repeat entries after a partial success, and shows what the receiver rejected", async () => {
  const answer = { partialSuccess: { rejectedLogRecords: "1", errorMessage: "too old" } };
  const { received, receiver } = await startOtlp([(response) => response.writeHead(200).end(JSON.stringify(answer))]);
  const worker = start(receiver);
  await worker.round();
  await record("approval.approved");
  await worker.round();
  expect(await readPosition("otlp")).toMatchObject({
    waiting: 0,
    failures: 0,
    failure: "the receiver rejected 1 of 1 entries: too old",
  });
  await worker.round();
  expect(received).toEqual([]);
});
