import Type from "typebox";
import { Anything, type Bus, type BusObject, BusVariant } from "./dbus.ts";

const DESTINATION = "org.freedesktop.NetworkManager";
const NONE = "/";

// NetworkManager's D-Bus API, "Types and constants": NMDeviceType, NMDeviceState, NMActiveConnectionState.
const WIFI_DEVICE = 2;
const DEVICE_ACTIVATED = 100;
const ACTIVE_STATES = ["unknown", "activating", "activated", "deactivating", "deactivated"] as const;

const Path = Type.String();
const Paths = Type.Array(Type.String());
const Number32 = Type.Integer();
const ProfileBody = Type.Object({
  connection: Type.Object({ type: Type.String(), timestamp: Type.Optional(Type.Integer()) }),
  "802-11-wireless": Type.Optional(
    Type.Object({ ssid: Type.Optional(Type.Unknown()), mode: Type.Optional(Type.String()) }),
  ),
});

/** A network as NetworkManager stores it. */
export interface Profile {
  path: string;
  ssid: string;
  isAccessPoint: boolean;
  /** When it was last joined; 0 for never. */
  timestamp: number;
}

export type ProfileSettings = Record<string, Record<string, BusVariant>>;

/** The subset of NetworkManager that the radio needs. */
export function createNetworkManager(bus: Bus) {
  const manager = objectAt("/org/freedesktop/NetworkManager", DESTINATION);
  const settings = objectAt("/org/freedesktop/NetworkManager/Settings", `${DESTINATION}.Settings`);
  const device = (path: string) => objectAt(path, `${DESTINATION}.Device`);
  const active = (path: string) => objectAt(path, `${DESTINATION}.Connection.Active`);
  const connection = (path: string) => objectAt(path, `${DESTINATION}.Settings.Connection`);

  async function profileAt(path: string): Promise<Profile | undefined> {
    const body = await bus.call(ProfileBody, { ...connection(path), member: "GetSettings" });
    const wireless = body["802-11-wireless"];
    if (body.connection.type !== "802-11-wireless" || !wireless) return undefined;
    const { timestamp = 0 } = body.connection;
    return { path, ssid: decodeSsid(wireless.ssid), isAccessPoint: wireless.mode === "ap", timestamp };
  }

  return {
    /** The first radio; undefined when there is none. */
    async findRadio(): Promise<string | undefined> {
      for (const path of await bus.call(Paths, { ...manager, member: "GetDevices" })) {
        if ((await bus.property(Number32, device(path), "DeviceType")) === WIFI_DEVICE) return path;
      }
      return undefined;
    },

    /** The active profile of the radio; undefined when no profile is active. */
    async currentProfile(radio: string): Promise<Profile | undefined> {
      if ((await bus.property(Number32, device(radio), "State")) !== DEVICE_ACTIVATED) return undefined;
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

export function infrastructureProfile(network: { ssid: string; password: string }, uuid: string): ProfileSettings {
  const { ssid, password } = network;
  return {
    connection: buildConnection(ssid, uuid),
    "802-11-wireless": { ssid: bytes(ssid), mode: text("infrastructure") },
    ...(password !== "" && { "802-11-wireless-security": { "key-mgmt": text("wpa-psk"), psk: text(password) } }),
    ipv4: { method: text("auto") },
    ipv6: { method: text("auto") },
  };
}

/** Open: during set-up the user has no password yet, and every change requires the token. */
export function accessPointProfile(ssid: string, uuid: string): ProfileSettings {
  return {
    connection: { ...buildConnection(ssid, uuid), autoconnect: new BusVariant("b", false) },
    "802-11-wireless": { ssid: bytes(ssid), mode: text("ap"), band: text("bg") },
    ipv4: { method: text("shared") },
    ipv6: { method: text("ignore") },
  };
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

function decodeSsid(ssid: unknown): string {
  return Buffer.isBuffer(ssid) ? ssid.toString("utf8") : "";
}
