import { isIP } from "node:net";
import { Problem } from "@kit/problem";

/** This service as browsers identify it. A security key signs for one relying party only. */
export interface RelyingParty {
  id: string;
  origin: string;
}

interface HostRequest {
  protocol: string;
  headers: { host?: string | undefined };
}

export type FindRelyingParty = (request: HostRequest) => RelyingParty | undefined;

/**
 * Uses the address that the operator configured. Without one, only localhost is accepted, because a client chooses its
 * Host header. Browsers offer keys on HTTPS pages and on localhost, and never for an IP address.
 */
export function createRelyingPartyFinder(publicUrl: string | undefined): FindRelyingParty {
  return ({ protocol, headers: { host = "" } }) => {
    const address = publicUrl ?? `${protocol}://${host}`;
    if (!URL.canParse(address)) return undefined;
    const { protocol: scheme, hostname: id, origin } = new URL(address);
    if (id === "localhost") return { id, origin };
    const isOffered = publicUrl !== undefined && scheme === "https:" && isIP(id.replace(/^\[(.*)\]$/, "$1")) === 0;
    return isOffered ? { id, origin } : undefined;
  };
}

export function requireRelyingParty(rp: RelyingParty | undefined): RelyingParty {
  if (rp) return rp;
  throw new Problem("conflict", "security keys and passkeys need SOC_PUBLIC_URL with https:// and a host name");
}
