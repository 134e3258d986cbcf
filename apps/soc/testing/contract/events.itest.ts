import { createClock } from "@kit/clock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openMqtt } from "../../src/adapters/broker/mqtt-connection.ts";
import type { BrokerMessage } from "../../src/ports/broker.ts";
import type { FleetDevice } from "../fixtures/simulated-device.ts";
import { type RelayWorld, relayWorld } from "../harness/relay-world.ts";
import { quote } from "./platform-contract.ts";

// A real broker, and a device that reads the messages of the platform.

const clock = createClock();
const MAX_QOS = 2;
let world: RelayWorld;
let device: FleetDevice;
let other: FleetDevice;
let received: BrokerMessage[];
let close: () => void;

beforeAll(async () => {
  world = await relayWorld();
  const [first, second] = await world.addFleet(["honest", "honest"]);
  if (!first || !second) throw new Error("there is no device");
  [device, other] = [first, second];
  const { host, port, ca } = await world.brokerAddress();
  received = [];
  const tls = { host, port, ca, servername: "localhost", cert: device.cert, key: device.key };
  const onMessage = async (message: BrokerMessage) => void received.push(message);
  const options = { tls, sessionSeconds: 0, keepAliveSeconds: 60, window: 10, onMessage, clock };
  const connection = await openMqtt(options, clock.deadline(5000));
  close = () => connection.close();
  await connection.subscribe([`devices/${device.id}/#`], MAX_QOS);
  await world.startRelay();
});
afterAll(async () => {
  close();
  await world.close();
});

describe(
  quote("- Audit events named attestation_request are relayed from a stream to device MQTT topics with QoS 2."),
  () => {
    it("records an audit event named attestation_request", async () => {
      await world.ask(device.id);
      const events = await world.db.selectFrom("audit_log").select("action").execute();
      expect(events.map(({ action }) => action)).toContain("attestation_request");
    });

    it("reaches a topic of the device, with QoS 2", async () => {
      await expect.poll(() => received.length).toBeGreaterThan(0);
      const [message] = received;
      expect(message).toMatchObject({ topic: expect.stringContaining(device.id), qos: 2 });
    });

    it("does not reach another device", async () => {
      await world.ask(other.id);
      await expect.poll(() => world.mosquitto.output()).toContain(`devices/${other.id}/`);
      expect(received.filter(({ topic }) => topic.includes(other.id))).toEqual([]);
    });
  },
);

describe("revoking a device", () => {
  it("revokes the certificate of the device", async () => {
    const url = `/api/v1/cps/devices/${other.id}`;
    const before = await world.app.inject(url);
    expect(before.json().certificate).toMatchObject({ status: "valid" });
    const revoked = await world.app.inject({ method: "POST", url: `${url}/revoke` });
    expect(revoked.statusCode).toBe(200);
    expect((await world.app.inject(url)).json().certificate).toMatchObject({ status: "revoked" });
  });

  it("answers 404 for an unknown device", async () => {
    const url = "/api/v1/cps/devices/0197f000-0000-7000-8000-00000000dead/revoke";
    expect((await world.app.inject({ method: "POST", url })).statusCode).toBe(404);
  });
});
