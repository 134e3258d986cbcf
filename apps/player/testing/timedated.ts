import Type from "typebox";
import Value from "typebox/value";
import { type Bus, BusVariant } from "../src/drivers/dbus.ts";
import { startMockBus } from "./mock-bus.ts";

export interface Timedated {
  bus: Bus;
  /** Epoch seconds that the clock was set to. */
  shown: () => Promise<number>;
  /** The calls it received, in order. */
  calls: () => Promise<unknown[]>;
  /** Ends the service, but not the bus. */
  end: () => Promise<void>;
  remove: () => Promise<void>;
}

const NAME = "org.freedesktop.timedate1";
const OBJECT = { destination: NAME, path: "/org/freedesktop/timedate1", interface: NAME };
const Calls = Type.Array(Type.Tuple([Type.Number(), Type.String(), Type.Array(Type.Unknown())]));

/** As systemd's does (method_set_time in timedated.c); the mock's own does nothing. */
const SET_TIME = `
if self.Get("${NAME}", "NTP"):
    raise dbus.exceptions.DBusException("Automatic time synchronization is enabled", name="${NAME}.AutomaticTimeSyncEnabled")
self.Set("${NAME}", "TimeUSec", args[0])
`;

/** systemd's service for the system clock, simulated by python3-dbusmock, on a private bus. */
export async function startTimedated(properties: Readonly<Record<string, boolean>> = {}): Promise<Timedated> {
  const mockBus = await startMockBus();
  const { bus } = mockBus;
  const service = await mockBus.play(OBJECT, "timedated", properties);
  await service.mock("AddProperty", "ssv", [NAME, "TimeUSec", new BusVariant("x", 0n)]);
  await service.becomes("SetTime", ["xbb", ""], SET_TIME);
  return {
    bus,
    shown: async () => (await bus.property(Type.Number(), OBJECT, "TimeUSec")) / 1_000_000,
    calls: async () =>
      Value.Parse(Calls, await service.mock("GetCalls", "", [])).map(([, name, args]) => [name, ...args]),
    end: () => service.end(),
    remove: () => mockBus.remove(),
  };
}
