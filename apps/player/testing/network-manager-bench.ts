import Type from "typebox";
import { type MockBus, startMockBus } from "./mock-bus.ts";

const MANAGER = "org.freedesktop.NetworkManager";
const OBJECT = { destination: MANAGER, path: "/org/freedesktop", interface: MANAGER };
const MANAGER_PATH = "/org/freedesktop/NetworkManager";

/** As a radio does: it leaves its network, then joins by the right password, not by a wrong one, and by one never. */
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
  /** How many networks are kept, its own included. */
  profiles: () => Promise<number>;
}

/** NetworkManager with one radio and no network, as python3-dbusmock plays it. */
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
