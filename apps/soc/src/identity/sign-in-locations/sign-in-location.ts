import type { Device } from "../sessions/session.ts";
import { describeDevice } from "./device-name.ts";

/** Where a user signs in from: the kind of device and the network. */
export interface Place {
  device: string;
  network: string;
}

/** Beyond this many places per user, the least recently used one is forgotten. */
export const MAX_PLACES = 50;

const IPV4 = /^(\d+\.\d+\.\d+)\.\d+$/;

/** Addresses of a household or an office change within their network; for IPv6 only the network is stored anyway. */
export function toPlace({ user_agent, address }: Device): Place {
  return { device: describeDevice(user_agent), network: address.replace(IPV4, "$1.0/24") };
}
