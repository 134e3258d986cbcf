import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { Problem } from "@kit/problem";
import { type StartedProcess, startProcess } from "@kit/testing/process";
import { Anything, type Bus, type BusObject, createBus } from "../src/drivers/dbus.ts";

const clock = createClock();
// Debian's package of the mock needs Debian's own Python.
const PYTHON = "/usr/bin/python3";
const MOCK = "org.freedesktop.DBus.Mock";
const PEER = "org.freedesktop.DBus.Peer";

export interface MockBus {
  address: string;
  bus: Bus;
  /** Simulates a service, by one of the mock's templates or as an empty object. */
  play: (service: BusObject, template?: string, parameters?: object) => Promise<MockService>;
  /** Ends the bus with all its clients, and starts it again at the same address. */
  restart: () => Promise<void>;
  remove: () => Promise<void>;
}

export interface MockService {
  /** Calls a method of the mock itself (python3-dbusmock, mockobject.py). */
  mock(member: string, signature: string, body: readonly unknown[], path?: string): Promise<unknown>;
  /** Replaces the implementation of a method by a piece of Python. */
  becomes(member: string, signatures: [takes: string, gives: string], code: string): Promise<unknown>;
  end(): Promise<void>;
}

/** A private message bus for the test, without services. */
export async function startMockBus(): Promise<MockBus> {
  const folder = await mkdtemp(join(tmpdir(), "bus-"));
  const address = `unix:path=${join(folder, "bus")}`;
  const bus = createBus({ address, clock });
  const services: StartedProcess[] = [];
  let daemon = await startDaemon(address);

  async function endAll(): Promise<void> {
    await Promise.all(services.splice(0).map((service) => service.stop()));
    await daemon.stop();
  }

  return {
    address,
    bus,

    async play(service, template, parameters = {}) {
      const what = template
        ? ["--template", template, "--parameters", JSON.stringify(parameters)]
        : ["--system", service.destination, service.path, service.interface];
      const started = await startProcess({
        command: PYTHON,
        args: ["-m", "dbusmock", ...what],
        env: { DBUS_SYSTEM_BUS_ADDRESS: address },
        readyWhen: /^/,
      });
      services.push(started);
      await untilAvailable(bus, service, started);
      const mock: MockService["mock"] = (member, signature, body, path = service.path) =>
        bus.call(Anything, { ...service, path, interface: MOCK, member, signature, body });
      return {
        mock,
        becomes: (member, signatures, code) =>
          mock("AddMethod", "sssss", [service.interface, member, ...signatures, code]),
        end: async () => void (await started.stop()),
      };
    },

    async restart() {
      await endAll();
      await rm(join(folder, "bus"), { force: true });
      daemon = await startDaemon(address);
    },

    async remove() {
      bus.close();
      await endAll();
      await rm(folder, { recursive: true });
    },
  };
}

function startDaemon(address: string): Promise<StartedProcess> {
  return startProcess({
    command: "dbus-daemon",
    args: ["--session", "--nofork", "--nopidfile", "--print-address", `--address=${address}`],
    readyWhen: /^unix:/m,
  });
}

async function untilAvailable(bus: Bus, { destination, path }: BusObject, started: StartedProcess): Promise<void> {
  const deadline = clock.deadline(20_000);
  while (!(await isAvailable(bus, { destination, path, interface: PEER }))) {
    if (deadline.aborted) throw new Error(`${destination} did not start: ${started.output()}`);
    await clock.sleep(50);
  }
}

async function isAvailable(bus: Bus, peer: BusObject): Promise<boolean> {
  try {
    await bus.call(Anything, { ...peer, member: "Ping" });
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}
