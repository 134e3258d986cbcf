import { isIP } from "node:net";
import { Problem } from "@kit/problem";

export interface OwnNames {
  /** The address at which clients reach the service, if configured. */
  publicUrl: string | undefined;
  hostname: string;
}

interface HostRequest {
  protocol: string;
  headers: {
    host?: string | undefined;
    origin?: string | undefined;
    "sec-fetch-site"?: string | string[] | undefined;
  };
}

export interface OwnHost {
  /** Returns the address at which this client reaches the service; undefined if the Host is not one of the service. */
  findBaseUrl(request: HostRequest): string | undefined;
  /** Throws for a foreign Host or a page of a foreign Origin. */
  require(request: HostRequest): void;
}

/**
 * Protects against DNS rebinding: if a name of an attacker resolves to this machine, the browser still sends that name
 * as Host. An IP address cannot be rebound, so every address is allowed.
 */
export function createOwnHost({ publicUrl, hostname }: OwnNames): OwnHost {
  const open = publicUrl === undefined ? undefined : new URL(publicUrl);
  const names = new Set(["localhost", hostname.toLowerCase(), ...(open ? [open.hostname] : [])]);

  function isOwn(host: string | undefined): boolean {
    const { hostname: asked = "" } = parseUrl(`http://${host}`) ?? {};
    return names.has(asked) || isIP(asked.replace(/^\[(.*)\]$/, "$1")) !== 0;
  }

  return {
    findBaseUrl({ protocol, headers: { host } }) {
      if (!isOwn(host)) return undefined;
      return open?.origin ?? `${protocol}://${host}`;
    },

    require({ headers: { host, origin, "sec-fetch-site": site = "none" } }) {
      if (!isOwn(host)) throw new Problem("forbidden", "Host: is not a name of this service; see SOC_PUBLIC_URL");
      // Programs send neither header; for an image or a link in a page, a browser sends only Sec-Fetch-Site.
      const isOwnSite = site === "none" || site === "same-origin";
      if (origin === undefined ? isOwnSite : origin === open?.origin || parseUrl(origin)?.host === host) return;
      throw new Problem("forbidden", "Origin: pages of another site must not use this service");
    },
  };
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
