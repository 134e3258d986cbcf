import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, createClock } from "@kit/clock";
import { afterEach, describe, expect, it } from "vitest";
import { measure } from "../../../testing/fixtures/measured-answer.ts";
import { openRequestJournal, type StoredRequest } from "../../../testing/fixtures/request-journal.ts";
import { type Behaviour, createSimulatedDevice, type FleetDevice } from "../../../testing/fixtures/simulated-device.ts";
import { type RelayOptions, type RelayWorld, relayWorld } from "../../../testing/harness/relay-world.ts";
import { type MqttConnection, openMqtt } from "../../adapters/broker/mqtt-connection.ts";
import type { BrokerMessage } from "../../ports/broker.ts";

const real = createClock();
const closers: (() => unknown)[] = [];
let world: RelayWorld;

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  await world.close();
});

async function start(options: RelayOptions = {}): Promise<RelayWorld> {
  world = await relayWorld(options);
  return world;
}

/** A clock that can be advanced: requests are sent again after 10 s and expire after 60 s. */
function createShiftedClock(): Clock & { shift: (ms: number) => void } {
  let shiftedMs = 0;
  return {
    ...real,
    now: () => new Date(real.now().getTime() + shiftedMs),
    shift(ms) {
      shiftedMs += ms;
    },
  };
}

/** Connects devices with their own behaviour. */
async function connect(devices: readonly FleetDevice[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "journal-"));
  const journal = await openRequestJournal(join(folder, "requests"));
  const broker = await world.brokerAddress();
  const shared = { broker, journal, stored: [], slowMs: 500, random: () => 0.5, count: () => undefined, clock: real };
  const simulated = devices.map((device) =>
    createSimulatedDevice({ ...shared, device, takeTurn: async (work) => work() }),
  );
  closers.push(async () => {
    await Promise.all(simulated.map((device) => device.close()));
    await journal.close();
    await rm(folder, { recursive: true });
  });
  for (const device of simulated) device.start();
  await expect.poll(() => simulated.every((device) => device.isConnected())).toBe(true);
}

/** Connects with the device's certificate and does what the test needs. */
async function joinAs(device: FleetDevice, filters: readonly string[] = []) {
  const received: BrokerMessage[] = [];
  const { host, port, ca } = await world.brokerAddress();
  const tls = { host, port, ca, servername: "localhost", cert: device.cert, key: device.key };
  const onMessage = async (message: BrokerMessage) => void received.push(message);
  const options = { tls, sessionSeconds: 0, keepAliveSeconds: 60, window: 10, onMessage, clock: real };
  const connection = await openMqtt(options, real.deadline(5000));
  closers.push(() => connection.close());
  if (filters.length > 0) await connection.subscribe(filters, 2);
  const requests = () => received.map(({ payload }): StoredRequest => JSON.parse(payload.toString("utf8")));
  return { connection, requests };
}

const topic = (id: string, kind: "request" | "receipt" | "answer") => `devices/${id}/attestation/${kind}`;
const send = (connection: MqttConnection, device: FleetDevice, kind: "receipt" | "answer", body: unknown) =>
  connection.publish(topic(device.id, kind), typeof body === "string" ? body : JSON.stringify(body), 60);

async function addDevice(behaviour: Behaviour = "honest"): Promise<FleetDevice> {
  const [device] = await world.addFleet([behaviour]);
  if (!device) throw new Error("there is no device");
  return device;
}

const listOpen = async () => (await world.listRequests()).filter(({ status }) => status === "open");

describe("relayed attestation requests", () => {
  it("reach the device and return its receipt and answer", async () => {
    const { ask, startRelay, listRequests, db } = await start();
    const fleet = await world.addFleet(["honest", "tampered", "slow"]);
    await connect(fleet);
    await startRelay();
    for (const { id } of fleet) await ask(id);
    await expect.poll(listOpen).toEqual([]);
    const requests = await listRequests();
    expect(requests.map(({ status, sends }) => [status, sends])).toEqual([
      ["answered", 1],
      ["answered", 1],
      ["answered", 1],
    ]);
    // Other devices may have answered before their receipt was read.
    expect(requests.at(-1)?.received_at).not.toBeNull();
    expect(await world.countVerdicts()).toEqual({ trusted: 2, untrusted: 1 });
    const recorded = await db.selectFrom("outbound_log").select(["outcome", "host", "path", "method"]).execute();
    const expected = { host: `localhost:${world.mosquitto.port}`, path: topic("+", "request"), method: "MQTT" };
    expect(recorded).toEqual(expect.arrayContaining([{ outcome: "intended", ...expected }]));
    expect(recorded).toEqual(expect.arrayContaining([{ outcome: "answered", ...expected }]));
  });

  it("reveal a device that exists twice", async () => {
    const { ask, startRelay, db } = await start();
    const device = await addDevice("cloned");
    await connect([device]);
    await startRelay();
    for (let time = 0; time < 2; time += 1) {
      await ask(device.id);
      await expect.poll(listOpen).toEqual([]);
    }
    const verdicts = await db.selectFrom("attestations").select(["verdict", "reason"]).orderBy("id").execute();
    expect(verdicts).toMatchObject([
      { verdict: "trusted" },
      { verdict: "untrusted", reason: expect.stringContaining("began before the last answer") },
    ]);
  });

  it("are sent again until the receipt, again without an answer, and not after the answer", async () => {
    const clock = createShiftedClock();
    const { ask, startRelay, attestation, listRequests } = await start({ clock });
    const device = await addDevice();
    const { connection, requests } = await joinAs(device, [topic(device.id, "request")]);
    await startRelay();
    const request_id = await ask(device.id);
    await expect.poll(() => requests().length).toBe(1);
    clock.shift(10_000);
    await expect.poll(() => requests().length).toBe(2);
    await send(connection, device, "receipt", { request_id });
    await expect.poll(async () => (await listRequests())[0]?.received_at).not.toBeNull();
    clock.shift(15_000);
    expect(await attestation.remind(10)).toBe(0);
    await real.sleep(1500);
    expect(requests()).toHaveLength(2);
    clock.shift(10_000);
    expect(await attestation.remind(10)).toBe(1);
    await expect.poll(() => requests().length).toBe(3);
    const [request] = requests();
    if (!request) throw new Error("there is no request");
    expect(new Set(requests().map((each) => each.request_id))).toEqual(new Set([request_id]));
    for (let time = 0; time < 3; time += 1) await send(connection, device, "answer", measure(device, request));
    await expect.poll(listOpen).toEqual([]);
    clock.shift(20_000);
    await real.sleep(1000);
    expect(requests()).toHaveLength(3);
    expect(await world.countVerdicts()).toEqual({ trusted: 1 });
  });

  it("expire once without an answer, and a late answer changes nothing", async () => {
    const clock = createShiftedClock();
    const { ask, startRelay, attestation, listRequests } = await start({ clock });
    const device = await addDevice();
    const { connection, requests } = await joinAs(device, [topic(device.id, "request")]);
    await startRelay();
    await ask(device.id);
    await expect.poll(() => requests().length).toBe(1);
    const [request] = requests();
    clock.shift(61_000);
    expect(await attestation.expire(10)).toBe(1);
    if (request) await send(connection, device, "answer", measure(device, request));
    await real.sleep(1000);
    expect((await listRequests()).map(({ status }) => status)).toEqual(["expired"]);
    expect(await world.countVerdicts()).toEqual({ stale: 1 });
    expect(requests()).toHaveLength(1);
  });

  it("wait unclaimed while the broker is down", async () => {
    const { ask, startRelay, mosquitto, listRequests } = await start();
    const device = await addDevice();
    await startRelay();
    await expect.poll(() => mosquitto.output()).toMatch(/as soc-relay-\d+ /);
    await mosquitto.stop("SIGKILL");
    await ask(device.id);
    await real.sleep(1500);
    expect(await listRequests()).toMatchObject([{ status: "open", sends: 0 }]);
    await mosquitto.start();
    await connect([device]);
    await expect.poll(listOpen).toEqual([]);
    expect(await world.countVerdicts()).toEqual({ trusted: 1 });
  });

  it("are also sent in dry_run and recorded as questions", async () => {
    const { db, attestation, startRelay, startAttestation } = await start({ mode: "dry_run" });
    const device = await addDevice();
    await connect([device]);
    await db.transaction().execute((tx) => attestation.ask(tx, device.id, "admin"));
    await startRelay();
    await startAttestation();
    await expect.poll(listOpen, { timeout: 30_000 }).toEqual([]);
    expect(await world.countVerdicts()).toEqual({ trusted: 1 });
    const sent = await db.selectFrom("outbound_log").select("kind").where("destination", "=", "broker").execute();
    expect(new Set(sent.map(({ kind }) => kind))).toEqual(new Set(["question"]));
  });
});

describe("several relays", () => {
  it("send each of many requests once and settle each answer once", async () => {
    const { ask, startRelay, listRequests, mosquitto } = await start();
    const fleet = await world.addFleet(Array.from({ length: 40 }, () => "honest" as const));
    await connect(fleet);
    await startRelay();
    await startRelay();
    await expect.poll(() => mosquitto.output().match(/as soc-relay-\d+ /g)?.length).toBeGreaterThanOrEqual(2);
    for (const { id } of fleet) await ask(id);
    await expect.poll(listOpen, { timeout: 60_000 }).toEqual([]);
    expect((await listRequests()).map(({ sends }) => sends)).toEqual(fleet.map(() => 1));
    expect(await world.countVerdicts()).toEqual({ trusted: 40 });
  });
});

describe("relay connection", () => {
  it("stays open longer than sending may take", async () => {
    const { ask, startRelay, mosquitto } = await start();
    const device = await addDevice();
    await connect([device]);
    await startRelay();
    await ask(device.id);
    await expect.poll(listOpen).toEqual([]);
    await real.sleep(6000);
    await ask(device.id);
    await expect.poll(listOpen).toEqual([]);
    expect(mosquitto.output().match(/as soc-relay-\d+ /g)).toHaveLength(1);
  });
});

describe("hostile devices", () => {
  it("cannot receive the messages of others, whatever they subscribe to", async () => {
    const { ask, startRelay } = await start();
    const hostile = await addDevice();
    const kinds = ["receipt", "answer"];
    const wanted = kinds.flatMap((kind) => [
      ...[`devices/+/attestation/${kind}`, `$share/relay/devices/+/attestation/${kind}`, "$share/relay/#"],
    ]);
    const { requests, connection } = await joinAs(hostile, wanted);
    const fleet = await world.addFleet(Array.from({ length: 10 }, () => "honest" as const));
    await startRelay();
    await connect(fleet);
    for (const { id } of fleet) await ask(id);
    await expect.poll(listOpen).toEqual([]);
    expect(connection.ended.aborted).toBe(false);
    expect(requests()).toEqual([]);
    expect(await world.countVerdicts()).toEqual({ trusted: 10 });
  });

  it("cannot write for other devices or send them requests", async () => {
    await start();
    const [hostile, other] = [await addDevice(), await addDevice()];
    for (const kind of ["receipt", "answer", "request"] as const) {
      const { connection } = await joinAs(hostile);
      await expect(connection.publish(topic(other.id, kind), "{}", 60)).rejects.toThrow("refused a message");
    }
  });

  it("cannot block other devices with their messages", async () => {
    const { ask, startRelay, mosquitto } = await start();
    const hostile = await addDevice();
    const fleet = await world.addFleet(Array.from({ length: 10 }, () => "honest" as const));
    await connect(fleet);
    await startRelay();
    const request_id = await ask(hostile.id);
    const { connection } = await joinAs(hostile);
    const foreign = await ask(fleet[0]?.id ?? "");
    const bodies = [
      ...["", "{", "null", "[]", "\u0000", "9".repeat(60_000), `{"request_id":"${foreign}"}`, { request_id: {} }],
      ...[{ request_id: "no id" }, { request_id: foreign, kind: "software" }, "[".repeat(50_000)],
    ];
    let isFlooding = true;
    const flooding = (async () => {
      for (let place = 0; isFlooding; place += 1) {
        const body = bodies[place % bodies.length];
        await Promise.all([send(connection, hostile, "answer", body), send(connection, hostile, "receipt", body)]);
      }
    })();
    for (const { id } of fleet) await ask(id);
    await expect.poll(async () => (await listOpen()).map(({ id }) => id), { timeout: 30_000 }).toEqual([request_id]);
    isFlooding = false;
    await flooding;
    expect(await world.countVerdicts()).toEqual({ trusted: 10 });
    expect(mosquitto.output().match(/as soc-relay-\d+ /g)).toHaveLength(1);
  });
});
