import Type from "typebox";
import { type MockBus, startMockBus } from "./mock-bus.ts";

const MANAGER = "org.freedesktop.NetworkManager";
const OBJECT = { destination: MANAGER, path: "/org/freedesktop", interface: MANAGER };
const MANAGER_PATH = "/org/freedesktop/NetworkManager";

/**
 * Behaves like a radio: it leaves its network, then joins with the right password, refuses a wrong one, and never
 * answers to a third.
 */
const ACTIVATE = `
import uuid
settings = objects[args[0]].settings
psk = str(settings.get("802-11-wireless-security", {}).get("psk", ""))
state = {"wrong-password": 4, "silent-password": 1}.get(psk, 2)
for former in list(self.Get("${MANAGER}", "ActiveConnections")):
    self.RemoveActiveConnection(args[1], former)
ret = self.AddActiveConnection([args[1]], args[0], args[2], uuid.uuid4().hex, dbus.UInt32(state))
`;

export interface NetworkManagerBench extends MockBus {
  /** The number of saved networks, including its own access point. */
  profiles: () => Promise<number>;
}

/** NetworkManager with one radio and no network, simulated by python3-dbusmock. */
export async function startNetworkManager({ hasRadio = true } = {}): Promise<NetworkManagerBench> {
  const mockBus = await startMockBus();
  const service = await mockBus.play(OBJECT, "networkmanager");
  if (hasRadio) await service.mock("AddWiFiDevice", "ssi", ["radio", "wlan0", 30]);
  await service.mock("AddMethod", "sssss", [MANAGER, "ActivateConnection", "ooo", "o", ACTIVATE], MANAGER_PATH);
  return {
    ...mockBus,
    async profiles() {
      const settings = { ...OBJECT, path: `${MANAGER_PATH}/Settings`, interface: `${MANAGER}.Settings` };
      return (await mockBus.bus.call(Type.Array(Type.String()), { ...settings, member: "ListConnections" })).length;
    },
  };
}
