import type { SettingsBody, WifiNetworksBody } from "@player/service/contract/settings";

type Security = WifiNetworksBody["networks"][number]["security"];

export interface JoinAttempt {
  /** The network that was asked for, and the one before. */
  ssid: string;
  former: string;
  sinceSeconds: number;
  /** The device reported a failure. */
  isRefused: boolean;
}

export type JoinState = "joining" | "joined" | "returned" | "alone" | "unknown";

/** The device leaves its network half a second after its answer; until then its reports describe the old network. */
const SETTLES_AFTER_S = 3;
/** The device gives up after 60 s and then needs a moment to be back in the former network. */
const GIVES_UP_AFTER_S = 75;

/**
 * The outcome; `alone`: the device found neither network and opened its own; `unknown`: this phone does not reach the
 * device, most likely because the device is in the new network and the phone is not.
 */
export function findJoinState(
  { ssid, former, sinceSeconds, isRefused }: JoinAttempt,
  settings: Pick<SettingsBody, "ssid" | "wifi_connected">,
  { nowSeconds, isReachable }: { nowSeconds: number; isReachable: boolean },
): JoinState {
  const elapsed = nowSeconds - sinceSeconds;
  if (!isRefused && elapsed < SETTLES_AFTER_S) return "joining";
  if (!isRefused && settings.wifi_connected && settings.ssid === ssid) return "joined";
  if (!isRefused && !isReachable) return "unknown";
  if (!isRefused && elapsed < GIVES_UP_AFTER_S) return "joining";
  return settings.wifi_connected || former !== "" ? "returned" : "alone";
}

/** The device's address by its own name, which is the same in every network. The token stays behind the #. */
export function buildNextAddress(hostname: string, port: string, token: string | undefined): string {
  return `https://${hostname}.local${port === "" ? "" : `:${port}`}/${token === undefined ? "" : `#${token}`}`;
}

export type Strength = "strong" | "medium" | "weak";

export function findStrength(signal: number): Strength {
  if (signal >= 60) return "strong";
  return signal >= 35 ? "medium" : "weak";
}

/** Networks with user names and the broken encryption of the 1990s are not supported. */
export function canJoin(security: Security): boolean {
  return security !== "enterprise" && security !== "wep";
}

export type NetworkProblem = "ssidEmpty" | "ssidLong" | "passwordForm";

/** IEEE 802.11, annex J.4.1: a passphrase of 8 to 63 printable characters, or the 256 bits of the key itself. */
const PASSWORD = /^(|[\x20-\x7e]{8,63}|[0-9A-Fa-f]{64})$/;

/** Finds what the device would refuse, before the request is sent. */
export function findNetworkProblem({ ssid, password }: { ssid: string; password: string }): NetworkProblem | undefined {
  if (ssid === "") return "ssidEmpty";
  if (new TextEncoder().encode(ssid).length > 32) return "ssidLong";
  return PASSWORD.test(password) ? undefined : "passwordForm";
}
