import { isIP } from "node:net";
import { Problem } from "@kit/problem";

/** This service as browsers know it. A security key signs for one relying party only. */
export interface RelyingParty {
  id: string;
  origin: string;
}

interface Asked {
  protocol: string;
  headers: { host?: string | undefined };
}

export type FindRelyingParty = (request: Asked) => RelyingParty | undefined;

/**
 * The address that the operator named; without one the service is known on its own machine only, because a client
 * chooses what it sends as Host. Browsers offer keys to encrypted pages and to localhost, and never to an IP address.
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
  throw new Problem("conflict", "security keys and passkeys need SOC_PUBLIC_URL with https:// and a name");
}
