import { clientNetworkOf } from "@kit/guard/address";
import type { FastifyRequest } from "fastify";
import type { Device } from "../sessions/session.ts";

const MAX_USER_AGENT_LENGTH = 300;

/** A user agent is arbitrary client input: only printable ASCII of limited length is stored. */
export function readDevice({ headers, ip }: Pick<FastifyRequest, "headers" | "ip">): Device {
  const user_agent = headers["user-agent"]?.replaceAll(/[^\x20-\x7e]/g, "").slice(0, MAX_USER_AGENT_LENGTH) || null;
  return { user_agent, address: clientNetworkOf(ip) };
}
