import Type from "typebox";
import { BusVariant } from "../src/drivers/dbus.ts";
import { type MockBus, startMockBus } from "./mock-bus.ts";

const MANAGER = "org.freedesktop.NetworkManager";
const OBJECT = { destination: MANAGER, path: "/org/freedesktop", interface: MANAGER };
const MANAGER_PATH = "/org/freedesktop/NetworkManager";
const RADIO_PATH = `${MANAGER_PATH}/Devices/radio`;
const WIRELESS = `${MANAGER}.Device.Wireless`;

/** Names, strengths in percent and NM80211ApSecurityFlags; the networks of the simulated radio, and a hidden one. */
const TRANSMITTERS = [
  ["Home", 40, 0x100],
  ["Home", 82, 0x100],
  ["مسجد النور", 64, 0x400],
  ["School", 47, 0x200],
  ["Café", 31, 0],
  ["", 90, 0x400],
] as const;

/**
 * Behaves like a radio: it leaves its network, then joins with the right password and key management, refuses wrong
 * ones, and never answers to a third password. "Cellar" is hidden: it answers only to those who call its name.
 */
const ACTIVATE = `
import uuid
settings = objects[args[0]].settings
wireless = settings["802-11-wireless"]
security = settings.get("802-11-wireless-security", {})
ssid = bytes(bytearray(wireless["ssid"])).decode()
key = str(security.get("key-mgmt", "none"))
state = {"wrong-password": 4, "silent-password": 1}.get(str(security.get("psk", "")), 2)
if {"Home": "wpa-psk", "مسجد النور": "sae", "Cellar": "sae", "Café": "none"}.get(ssid, key) != key:
    state = 4
if ssid == "Cellar" and not wireless.get("hidden"):
    state = 4
for former in list(self.Get("${MANAGER}", "ActiveConnections")):
    self.RemoveActiveConnection(args[1], former)
ret = self.AddActiveConnection([args[1]], args[0], args[2], uuid.uuid4().hex, dbus.UInt32(state))
`;

/** NetworkManager, check_scanning_prohibited(): no search while the radio is an access point. */
const IS_ACCESS_POINT = `
active = str(self.props["${MANAGER}.Device"]["ActiveConnection"])
profile = objects[active].props["${MANAGER}.Connection.Active"]["Connection"] if active in objects else None
is_access_point = profile is not None and objects[profile].settings["802-11-wireless"]["mode"] == "ap"
`;
const REQUEST_SCAN = `${IS_ACCESS_POINT}
if is_access_point:
    raise dbus.exceptions.DBusException("Scanning not allowed", name="${WIRELESS}.NotAllowed")
self.props["${WIRELESS}"]["LastScan"] = dbus.Int64(self.props["${WIRELESS}"]["LastScan"] + 1)
`;
const ACCESS_POINTS = `${IS_ACCESS_POINT}
ret = dbus.Array([] if is_access_point else self.access_points, signature="o")
`;

export interface NetworkManagerOptions {
  hasRadio?: boolean;
  hasCable?: boolean;
  /** Blocked by software, as a new system may be. */
  isBlocked?: boolean;
}

export interface NetworkManagerBench extends MockBus {
  /** The number of saved networks, including its own access point. */
  profiles: () => Promise<number>;
  /** Whether the radio is switched on. */
  isOn: () => Promise<boolean>;
  /** Starts NetworkManager again after the bus was restarted. */
  playAgain: () => Promise<void>;
}

/** NetworkManager with one radio and no network, simulated by python3-dbusmock. */
export async function startNetworkManager(options: NetworkManagerOptions = {}): Promise<NetworkManagerBench> {
  const mockBus = await startMockBus();
  await playNetworkManager(mockBus, options);
  const { bus } = mockBus;
  return {
    ...mockBus,
    playAgain: () => playNetworkManager(mockBus, options),
    isOn: () => bus.property(Type.Boolean(), { ...OBJECT, path: MANAGER_PATH }, "WirelessEnabled"),
    async profiles() {
      const settings = { ...OBJECT, path: `${MANAGER_PATH}/Settings`, interface: `${MANAGER}.Settings` };
      return (await bus.call(Type.Array(Type.String()), { ...settings, member: "ListConnections" })).length;
    },
  };
}

async function playNetworkManager({ play }: MockBus, options: NetworkManagerOptions): Promise<void> {
  const { hasRadio = true, hasCable = false, isBlocked = false } = options;
  const service = await play(OBJECT, "networkmanager", { WirelessEnabled: !isBlocked });
  const become = (owner: string, path: string, member: string, [takes, gives]: [string, string], code: string) =>
    service.mock("AddMethod", "sssss", [owner, member, takes, gives, code], path);
  await become(MANAGER, MANAGER_PATH, "ActivateConnection", ["ooo", "o"], ACTIVATE);
  if (hasCable) await service.mock("AddEthernetDevice", "ssi", ["cable", "eth0", 100]);
  if (!hasRadio) return;
  await service.mock("AddWiFiDevice", "ssi", ["radio", "wlan0", 30]);
  await service.mock("AddProperty", "ssv", [WIRELESS, "LastScan", new BusVariant("x", -1n)], RADIO_PATH);
  await become(WIRELESS, RADIO_PATH, "RequestScan", ["a{sv}", ""], REQUEST_SCAN);
  await become(WIRELESS, RADIO_PATH, "GetAllAccessPoints", ["", "ao"], ACCESS_POINTS);
  for (const [index, [ssid, strength, security]] of TRANSMITTERS.entries()) {
    const values = [RADIO_PATH, `ap${index}`, ssid, "00:00:5e:00:53:01", 2, 2412, 54_000, strength, security];
    await service.mock("AddAccessPoint", "ssssuuuyu", values);
  }
}
