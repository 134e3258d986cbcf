import { createClock } from "@kit/clock";
import { createFakeClock } from "@kit/clock/fake";
import { Problem } from "@kit/problem";
import Type from "typebox";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type MockBus, type MockService, startMockBus } from "../../testing/mock-bus.ts";
import { Anything, BusVariant, createBus, findBusError } from "./dbus.ts";

const clock = createClock();
const THING = { destination: "org.example.Thing", path: "/org/example/Thing", interface: "org.example.Thing" };
const ECHO = { ...THING, member: "Echo", signature: "v" };

let bench: MockBus;
let service: MockService;

async function play(): Promise<void> {
  service = await bench.play(THING);
  await service.becomes("Echo", ["v", "v"], "ret = args[0]");
}

beforeAll(async () => {
  bench = await startMockBus();
  await play();
}, 60_000);

afterAll(() => bench.remove());

it.each([
  ["s", "نص"],
  ["b", true],
  ["x", 4_102_444_799],
  ["d", -0.5],
  ["ay", Buffer.from([0, 1, 255])],
  ["as", ["a", ""]],
  ["(si)", ["a", -1]],
  ["a{sv}", { one: 1, deep: { two: ["b"] } }],
])("transfers a value of the type %s in both directions", async (signature, value) => {
  const sent = signature === "a{sv}" ? { one: new BusVariant("i", 1), deep: new BusVariant("a{sv}", DEEP) } : value;
  expect(await bench.bus.call(Anything, { ...ECHO, body: [new BusVariant(signature, sent)] })).toEqual(value);
});

const DEEP = { two: new BusVariant("as", ["b"]) };

it("reads properties", async () => {
  await service.mock("AddProperty", "ssv", [THING.interface, "Level", new BusVariant("u", 3)]);
  expect(await bench.bus.property(Type.Integer(), THING, "Level")).toBe(3);
});

it("refuses an answer of an unexpected type", async () => {
  const call = { ...ECHO, body: [new BusVariant("s", "three")] };
  await expect(bench.bus.call(Type.Integer(), call)).rejects.toThrow("dbus: the answer of Echo has another form");
});

it("returns the error name of a refused call", async () => {
  await service.becomes("Fail", ["", ""], 'raise dbus.exceptions.DBusException("no way", name="org.example.No")');
  const failed = bench.bus.call(Anything, { ...THING, member: "Fail" });
  await expect(failed).rejects.toThrow("dbus: Fail was refused: no way");
  expect(await failed.catch(findBusError)).toBe("org.example.No");
  const absent = bench.bus.call(Anything, { ...THING, destination: "org.example.Missing", member: "Fail" });
  expect(await absent.catch(findBusError)).toBe("org.freedesktop.DBus.Error.ServiceUnknown");
  expect(findBusError(new Problem("failed", "another"))).toBeUndefined();
});

it("receives signals until it stops listening", async () => {
  const received: unknown[] = [];
  const emit = (text: string) => service.mock("EmitSignal", "sssav", ["", "Said", "s", [new BusVariant("s", text)]]);
  const stop = await bench.bus.onSignal({ ...THING, member: "Said" }, (body) => received.push(body));
  await emit("one");
  await service.mock("EmitSignal", "sssav", ["", "Other", "", []]);
  await emit("two");
  stop();
  await emit("three");
  expect(received).toEqual([["one"], ["two"]]);
});

it("rejects with a Problem when there is no bus", async () => {
  const bus = createBus({ address: "unix:path=/nonexistent/bus", clock });
  for (let round = 0; round < 3; round += 1) {
    await expect(bus.call(Anything, ECHO)).rejects.toThrow("dbus: the bus cannot be reached");
  }
  bus.close();
});

it("times out on a service that never answers", async () => {
  const fakeClock = createFakeClock();
  const bus = createBus({ address: bench.address, clock: fakeClock });
  await service.becomes("Hang", ["", ""], "time.sleep(0.5)");
  const hanging = expect(bus.call(Anything, { ...THING, member: "Hang" })).rejects.toThrow(
    "dbus: org.example.Thing does not answer",
  );
  await clock.sleep(200);
  await fakeClock.advance(10_000);
  await hanging;
  expect(await bus.call(Anything, { ...ECHO, body: [new BusVariant("s", "again")] })).toBe("again");
  bus.close();
});

it("reconnects after the bus was restarted", async () => {
  await bench.restart();
  await play();
  expect(await bench.bus.call(Anything, { ...ECHO, body: [new BusVariant("s", "again")] })).toBe("again");
}, 60_000);
