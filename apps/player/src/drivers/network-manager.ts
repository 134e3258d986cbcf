import { Problem } from "@kit/problem";
import Type from "typebox";
import { ACCESS_POINT_ADDRESS } from "../settings/setup-network.ts";
import type { NetworkInReach } from "../settings/wifi-manager.ts";
import { Anything, type Bus, type BusObject, BusVariant } from "./dbus.ts";

const DESTINATION = "org.freedesktop.NetworkManager";
const NONE = "/";

// NetworkManager's D-Bus API, "Types and constants": NMDeviceType, NMDeviceState, NMActiveConnectionState.
const WIRED_DEVICE = 1;
const WIFI_DEVICE = 2;
const DEVICE_ACTIVATED = 100;
const ACTIVE_STATES = ["unknown", "activating", "activated", "deactivating", "deactivated"] as const;

// The same page: NM80211ApFlags and NM80211ApSecurityFlags.
const HAS_PRIVACY = 0x1;
const HAS_PSK = 0x100;
const HAS_ENTERPRISE = 0x200 | 0x2000;
const HAS_SAE = 0x400;
const HAS_OWE = 0x800;

const Flag = Type.Boolean();
const Path = Type.String();
const Paths = Type.Array(Type.String());
const Number32 = Type.Integer();
const Number64 = Type.Number();
const ProfileBody = Type.Object({
  connection: Type.Object({ type: Type.String(), timestamp: Type.Optional(Type.Integer()) }),
  "802-11-wireless": Type.Optional(
    Type.Object({
      ssid: Type.Optional(Type.Unknown()),
      mode: Type.Optional(Type.String()),
      hidden: Type.Optional(Type.Boolean()),
    }),
  ),
});

/** A network as NetworkManager stores it. */
export interface Profile {
  path: string;
  ssid: string;
  isAccessPoint: boolean;
  /** The network does not send its name, so a search does not find it. */
  isHidden: boolean;
  /** When it was last joined; 0 for never. */
  timestamp: number;
}

/** How a network checks its users: `none` for an open one, `owe` for an open one that encrypts. */
export type KeyManagement = "none" | "owe" | "wpa-psk" | "sae";

export interface ReceivedNetwork extends NetworkInReach {
  /** Undefined when this device cannot join it. */
  keyManagement: KeyManagement | undefined;
}

export type ProfileSettings = Record<string, Record<string, BusVariant>>;

/** The subset of NetworkManager that the radio needs. */
export function createNetworkManager(bus: Bus) {
  const manager = objectAt("/org/freedesktop/NetworkManager", DESTINATION);
  const settings = objectAt("/org/freedesktop/NetworkManager/Settings", `${DESTINATION}.Settings`);
  const device = (path: string) => objectAt(path, `${DESTINATION}.Device`);
  const wireless = (path: string) => objectAt(path, `${DESTINATION}.Device.Wireless`);
  const accessPoint = (path: string) => objectAt(path, `${DESTINATION}.AccessPoint`);
  const active = (path: string) => objectAt(path, `${DESTINATION}.Connection.Active`);
  const connection = (path: string) => objectAt(path, `${DESTINATION}.Settings.Connection`);

  async function profileAt(path: string): Promise<Profile | undefined> {
    const body = await bus.call(ProfileBody, { ...connection(path), member: "GetSettings" });
    const found = body["802-11-wireless"];
    if (body.connection.type !== "802-11-wireless" || !found) return undefined;
    const { timestamp = 0 } = body.connection;
    const { ssid, mode, hidden = false } = found;
    return { path, ssid: decodeSsid(ssid), isAccessPoint: mode === "ap", isHidden: hidden, timestamp };
  }

  async function networkAt(path: string): Promise<ReceivedNetwork> {
    const object = accessPoint(path);
    const flagsOf = (name: string) => bus.property(Number32, object, name);
    const [flags, wpa, rsn] = await Promise.all(["Flags", "WpaFlags", "RsnFlags"].map(flagsOf));
    return {
      ssid: decodeSsid(await bus.property(Anything, object, "Ssid")),
      signal: await bus.property(Number32, object, "Strength"),
      ...readSecurity(flags ?? 0, (wpa ?? 0) | (rsn ?? 0)),
    };
  }

  async function devicesOfType(type: number): Promise<string[]> {
    const found: string[] = [];
    for (const path of await bus.call(Paths, { ...manager, member: "GetDevices" })) {
      if ((await bus.property(Number32, device(path), "DeviceType")) === type) found.push(path);
    }
    return found;
  }

  async function isActivated(path: string): Promise<boolean> {
    return (await bus.property(Number32, device(path), "State")) === DEVICE_ACTIVATED;
  }

  return {
    /** The first radio; undefined when there is none. */
    findRadio: async (): Promise<string | undefined> => (await devicesOfType(WIFI_DEVICE))[0],

    /** Whether a switch, by software or by hand, blocks every radio. */
    async readSwitches(): Promise<{ isOn: boolean; isBlockedByHand: boolean }> {
      const isOn = await bus.property(Flag, manager, "WirelessEnabled");
      return { isOn, isBlockedByHand: !(await bus.property(Flag, manager, "WirelessHardwareEnabled")) };
    },

    switchOn: (): Promise<unknown> =>
      bus.call(Anything, {
        ...manager,
        interface: "org.freedesktop.DBus.Properties",
        member: "Set",
        signature: "ssv",
        body: [manager.interface, "WirelessEnabled", new BusVariant("b", true)],
      }),

    /** Whether a cable connects this machine to a network. */
    async isWired(): Promise<boolean> {
      for (const path of await devicesOfType(WIRED_DEVICE)) if (await isActivated(path)) return true;
      return false;
    },

    /** Starts a search. NetworkManager refuses it soon after another one, and while the access point is open. */
    requestScan: (radio: string): Promise<unknown> =>
      bus.call(Anything, { ...wireless(radio), member: "RequestScan", signature: "a{sv}", body: [{}] }),

    /** When the last search ended, in milliseconds of an unknown clock; -1 before the first. */
    lastScan: (radio: string): Promise<number> => bus.property(Number64, wireless(radio), "LastScan"),

    /** What the last search found: one entry per transmitter, so that a name may occur several times. */
    async listAccessPoints(radio: string): Promise<ReceivedNetwork[]> {
      const paths = await bus.call(Paths, { ...wireless(radio), member: "GetAllAccessPoints" });
      // A transmitter may disappear while its properties are read.
      const found = await Promise.all(paths.map((path) => networkAt(path).catch(ignoreProblem)));
      return found.filter((network) => network !== undefined);
    },

    /** The active profile of the radio; undefined when no profile is active. */
    async currentProfile(radio: string): Promise<Profile | undefined> {
      if (!(await isActivated(radio))) return undefined;
      const path = await bus.property(Path, device(radio), "ActiveConnection");
      if (path === NONE) return undefined;
      return profileAt(await bus.property(Path, active(path), "Connection"));
    },

    async listProfiles(): Promise<Profile[]> {
      const paths = await bus.call(Paths, { ...settings, member: "ListConnections" });
      const profiles = await Promise.all(paths.map(profileAt));
      return profiles.filter((profile) => profile !== undefined);
    },

    /** Kept in memory only: a power cut removes it. */
    add: (profile: ProfileSettings): Promise<string> =>
      bus.call(Path, { ...settings, member: "AddConnectionUnsaved", signature: "a{sa{sv}}", body: [profile] }),

    /** Saves the profile on disk, so that it survives a power cut. */
    keep: (path: string, profile: ProfileSettings): Promise<unknown> =>
      bus.call(Anything, { ...connection(path), member: "Update", signature: "a{sa{sv}}", body: [profile] }),

    remove: (path: string): Promise<unknown> => bus.call(Anything, { ...connection(path), member: "Delete" }),

    /** Starts to join. Returns the path of the object that reports the progress. */
    activate: (path: string, radio: string): Promise<string> =>
      bus.call(Path, { ...manager, member: "ActivateConnection", signature: "ooo", body: [path, radio, NONE] }),

    async activationState(path: string): Promise<(typeof ACTIVE_STATES)[number]> {
      return ACTIVE_STATES[await bus.property(Number32, active(path), "State")] ?? "unknown";
    },
  };
}

export interface JoinedNetwork {
  ssid: string;
  password: string;
  keyManagement: KeyManagement;
  isHidden: boolean;
}

export function infrastructureProfile(network: JoinedNetwork, uuid: string): ProfileSettings {
  const { ssid, password, keyManagement, isHidden } = network;
  const security = { "key-mgmt": text(keyManagement), ...(password !== "" && { psk: text(password) }) };
  return {
    connection: buildConnection(ssid, uuid),
    "802-11-wireless": {
      ssid: bytes(ssid),
      mode: text("infrastructure"),
      ...(isHidden && { hidden: new BusVariant("b", true) }),
    },
    ...(keyManagement !== "none" && { "802-11-wireless-security": security }),
    ipv4: { method: text("auto") },
    ipv6: { method: text("auto") },
  };
}

/** Open: during set-up the user has no password yet, and every change requires the token. */
export function accessPointProfile(ssid: string, uuid: string): ProfileSettings {
  const address = { address: text(ACCESS_POINT_ADDRESS), prefix: new BusVariant("u", 24) };
  return {
    connection: { ...buildConnection(ssid, uuid), autoconnect: new BusVariant("b", false) },
    "802-11-wireless": { ssid: bytes(ssid), mode: text("ap"), band: text("bg") },
    ipv4: { method: text("shared"), "address-data": new BusVariant("aa{sv}", [address]) },
    ipv6: { method: text("ignore") },
  };
}

/** By the flags of a network; its WPA and RSN flags together. */
function readSecurity(flags: number, offers: number): Pick<ReceivedNetwork, "security" | "keyManagement"> {
  if (offers & HAS_PSK) return { security: "wpa", keyManagement: "wpa-psk" };
  if (offers & HAS_SAE) return { security: "wpa3", keyManagement: "sae" };
  if (offers & HAS_ENTERPRISE) return { security: "enterprise", keyManagement: undefined };
  if (offers & HAS_OWE) return { security: "open", keyManagement: "owe" };
  if (flags & HAS_PRIVACY) return { security: "wep", keyManagement: undefined };
  return { security: "open", keyManagement: "none" };
}

function buildConnection(ssid: string, uuid: string): Record<string, BusVariant> {
  return { id: text(ssid), uuid: text(uuid), type: text("802-11-wireless") };
}

function objectAt(path: string, owner: string): BusObject {
  return { destination: DESTINATION, path, interface: owner };
}

function text(value: string): BusVariant {
  return new BusVariant("s", value);
}

function bytes(value: string): BusVariant {
  return new BusVariant("ay", Buffer.from(value));
}

function ignoreProblem(error: unknown): undefined {
  if (!(error instanceof Problem)) throw error;
}

function decodeSsid(ssid: unknown): string {
  return Buffer.isBuffer(ssid) ? ssid.toString("utf8") : "";
}
