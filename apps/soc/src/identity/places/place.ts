import type { Device } from "../sessions/session.ts";
import { describeDevice } from "./device-name.ts";

/** Where a user signs in: the kind of device and the network. */
export interface Place {
  device: string;
  network: string;
}

/** A user who signs in from more places than this forgets the one that was used longest ago. */
export const MAX_PLACES = 50;

const IPV4 = /^(\d+\.\d+\.\d+)\.\d+$/;

/** Addresses of a household or an office change within their network; of IPv6 only the network is kept anyway. */
export function toPlace({ user_agent, address }: Device): Place {
  return { device: describeDevice(user_agent), network: address.replace(IPV4, "$1.0/24") };
}
