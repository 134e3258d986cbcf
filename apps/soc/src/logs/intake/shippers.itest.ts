import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Identity, startIdentity } from "../../../testing/harness/identity.ts";
import { createIntake } from "../../../testing/harness/shippers-intake.ts";
import {
  hasRsyslog,
  hasSyslogNg,
  makeCertificates,
  startRsyslog,
  startSyslogNg,
} from "../../../testing/processes/shippers.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";
import { startLogStore } from "../../../testing/servers/log-engine.ts";
import { ALL_SITES } from "../../foundation/caller/caller.ts";
import { createTlsFiles } from "../../foundation/tls-files.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { otherIntakesRoutes } from "./other-intakes.routes.ts";
import { createSyslogWorker, type SyslogPorts } from "./syslog/syslog.worker.ts";

const LINES = 2000;
const clock = createClock();
const folder = mkdtempSync(join(tmpdir(), "shippers-"));
let certificates: ReturnType<typeof makeCertificates>;
let identity: Identity;
let logs: Awaited<ReturnType<typeof startLogStore>>;
let made: ReturnType<typeof createIntake>;
let syslog: ReturnType<typeof createSyslogWorker>;
let ports: SyslogPorts;
let httpPort: number;
let key: string;

beforeAll(async () => {
  certificates = makeCertificates(folder);
  logs = await startLogStore();
  identity = await startIdentity({ url: (await freshDatabase()).url });
  made = createIntake({ db: identity.db, logStore: logs.store });
  await identity.app.register(otherIntakesRoutes(made.intake, made.bodies, clock));
  await identity.addUser("admin");
  const headers = await identity.bearer("admin");
  const payload = { name: "edge", scopes: ["siem:ingest"] };
  key = (await identity.app.inject({ method: "POST", url: "/api/v1/api-keys", headers, payload })).json().key;
  httpPort = Number(new URL(await identity.app.listen({ host: "127.0.0.1", port: 0 })).port);
  syslog = createSyslogWorker({
    delivery: made.delivery,
    drops: made.drops,
    host: "127.0.0.1",
    tcpPort: 0,
    tlsPort: 0,
    udpPort: 0,
    tls: createTlsFiles(() => ({ cert: readFileSync(certificates.cert), key: readFileSync(certificates.key) })),
    limits: { connections: 20, lineBytes: 2000, idleMs: 60_000 },
    clock,
    log: silentLog,
  });
  ports = await syslog.start();
});

afterAll(async () => {
  await syslog.close();
  await made.intake.close();
  await identity.close();
  await logs.stop();
  rmSync(folder, { recursive: true });
});

async function listStored(source: string): Promise<LogEvent[]> {
  const found: LogEvent[] = [];
  const where = { sql: "source = {source:String}", parameters: { source } };
  const all = {
    scope: ALL_SITES,
    where,
    time: "ingested_at" as const,
    from: new Date(0),
    to: new Date("2100-01-01T00:00:00Z"),
  };
  for await (const page of logs.store.stream({ ...all, order: "oldest", limit: 100_000 })) found.push(...page);
  return found;
}

/** Numbered lines with content that is hard to parse. */
const HARD = ['"quoted"', "back\\slash", "tab\there", "ümläut ✓", "[brackets] <13>", "100% $ #", "{json: 1}"];
const buildLines = (name: string) =>
  Array.from({ length: LINES }, (_, n) => `${name} line ${n} ${HARD[n % HARD.length]}`);

function writeLogFile(name: string): string {
  const file = join(folder, `${name}.log`);
  writeFileSync(file, `${buildLines(name).join("\n")}\n`);
  return file;
}

async function expectAll(name: string, source: string, shipper: { output(): string }): Promise<LogEvent[]> {
  const numbered = async () => (await listStored(source)).length;
  await expect
    .poll(numbered, { timeout: 40_000, interval: 250 })
    .toBeGreaterThanOrEqual(LINES)
    .catch((error: unknown) => {
      throw new Error(`${String(error)}\n${shipper.output()}`);
    });
  const found = await listStored(source);
  expect(found.map(({ message }) => message).toSorted()).toEqual(buildLines(name).toSorted());
  return found;
}

describe.skipIf(!hasRsyslog)("rsyslog (Debian: rsyslog, rsyslog-gnutls, rsyslog-elasticsearch)", () => {
  it.each([
    ["octet-counted", "RSYSLOG_SyslogProtocol23Format"],
    ["traditional", "RSYSLOG_TraditionalForwardFormat"],
  ])("delivers each line once over TLS, framed %s as %s", { timeout: 60_000 }, async (framing, template) => {
    const name = `r-${framing}`;
    const shipper = startRsyslog(
      folder,
      `global(defaultNetstreamDriverCAFile="${certificates.ca}" parser.escapeControlCharactersOnReceive="off")
      module(load="imfile")
      input(type="imfile" file="${writeLogFile(name)}" tag="${name}:")
      action(type="omfwd" target="127.0.0.1" port="${ports.tlsPort}" protocol="tcp" tcp_framing="${framing}"
        streamDriver="gtls" streamDriverMode="1" streamDriverAuthMode="x509/name" streamDriverPermittedPeers="localhost"
        template="${template}")`,
    );
    const [first] = await expectAll(name, name, shipper);
    await shipper.stop();
    expect(first).toMatchObject({ process: name, severity: "low", attributes: { facility: "local0" } });
    expect(first?.host).not.toBe("");
    expect(Math.abs(Date.parse(first?.timestamp ?? "") - clock.now().getTime())).toBeLessThan(60_000);
  });

  it("delivers each line once to _bulk, with ids, although it is restarted on the same file", {
    timeout: 90_000,
  }, async () => {
    const name = "r-bulk";
    const configuration = `module(load="imfile")
      module(load="omelasticsearch")
      template(name="document" type="list" option.jsonf="on") {
        property(outname="message" name="msg" format="jsonf")
        property(outname="@timestamp" name="timereported" dateFormat="rfc3339" format="jsonf" date.inUTC="on")
        property(outname="host" name="hostname" format="jsonf")
        property(outname="source" name="programname" format="jsonf")
      }
      template(name="id" type="list") { property(name="msg" position.from="1" position.to="24" format="json") }
      input(type="imfile" file="${writeLogFile(name)}" tag="${name}:")
      action(type="omelasticsearch" server="127.0.0.1" serverport="${httpPort}" uid="edge" pwd="${key}"
        bulkmode="on" template="document" searchIndex="logs" searchType="" bulkid="id" dynbulkid="on"
        writeoperation="create" errorFile="${join(folder, "bulk-errors")}")`;
    const shipper = startRsyslog(folder, configuration);
    await expectAll(name, name, shipper);
    await shipper.stop();
    // rsyslog loses its position and sends everything again.
    for (const file of readdirSync(folder)) if (file.startsWith("imfile-state")) rmSync(join(folder, file));
    const again = startRsyslog(folder, configuration);
    const received = async () => {
      await made.sources.flush();
      return (await made.sources.states()).find(({ source }) => source === name)?.received;
    };
    await expect.poll(received, { timeout: 40_000, interval: 250 }).toBe(2 * LINES);
    const [first] = await expectAll(name, name, again);
    await again.stop();
    expect(first?.host).not.toBe("");
    expect(JSON.parse(first?.raw ?? "")).toMatchObject({ source: name, message: first?.message });
  });
});

describe.skipIf(!hasSyslogNg)("syslog-ng (Debian: syslog-ng-core)", () => {
  it.each([
    [
      "ng-tls",
      () =>
        `syslog("127.0.0.1" port(${ports.tlsPort}) transport("tls") tls(ca-file("${certificates.ca}") peer-verify(required-trusted)))`,
    ],
    ["ng-tcp", () => `network("127.0.0.1" port(${ports.tcpPort}) transport("tcp"))`],
  ])("delivers each line once: %s", { timeout: 60_000 }, async (name, destination) => {
    const shipper = startSyslogNg(
      folder,
      `source lines { file("${writeLogFile(name)}" follow-freq(0.1) flags(no-parse) program-override("${name}")); };
      destination intake { ${destination()}; };
      log { source(lines); destination(intake); };`,
    );
    const [first] = await expectAll(name, name, shipper);
    await shipper.stop();
    expect(first).toMatchObject({ process: name, severity: "low" });
  });
});

describe("the syslog servers", () => {
  it("accepts datagrams", async () => {
    const socket = createSocket("udp4");
    for (let n = 0; n < 200; n += 1) {
      socket.send(
        `<38>1 2026-11-15T10:00:00Z web-1 udp-test ${n} - - datagram ${n}\n`,
        ports.udpPort ?? 0,
        "127.0.0.1",
      );
      if (n % 50 === 49) await clock.sleep(5);
    }
    await expect.poll(async () => (await listStored("udp-test")).length, { timeout: 10_000 }).toBe(200);
    socket.close();
  });

  it("truncates and marks a line that is too long, and keeps an unterminated last line", async () => {
    const socket = connect(ports.tcpPort ?? 0, "127.0.0.1");
    socket.end(
      `<13>1 - - long-line - - - ${"x".repeat(5000)}\n<13>1 - - long-line - - - after\n<13>1 - - long-line - - - last`,
    );
    await expect.poll(async () => (await listStored("long-line")).length, { timeout: 10_000 }).toBe(3);
    const found = await listStored("long-line");
    const kept = 2000 - "<13>1 - - long-line - - - ".length;
    expect(
      found.map(({ message, attributes }) => `${message.length} ${String(attributes.is_cut === true)}`).toSorted(),
    ).toEqual([`${kept} true`, "4 false", "5 false"].toSorted());
  });

  it("refuses connections beyond the limit and closes idle ones", async () => {
    const idle = createSyslogWorker({
      delivery: made.delivery,
      drops: made.drops,
      host: "127.0.0.1",
      tcpPort: 0,
      limits: { connections: 2, idleMs: 1000 },
      clock,
      log: silentLog,
    });
    const { tcpPort = 0 } = await idle.start();
    const open = () => connect(tcpPort, "127.0.0.1").on("error", () => undefined);
    const held = [open(), open()];
    await Promise.all(held.map((socket) => once(socket, "connect")));
    const startMs = clock.monotonicMs();
    await once(open(), "close");
    expect(held.map(({ closed }) => closed)).toEqual([false, false]);
    await Promise.all(held.map((socket) => once(socket, "close")));
    expect(clock.monotonicMs() - startMs).toBeGreaterThan(800);
    await idle.close();
  });
});
