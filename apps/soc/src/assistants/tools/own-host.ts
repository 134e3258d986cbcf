import { isIP } from "node:net";
import { Problem } from "@kit/problem";

export interface OwnNames {
  /** The address under which clients reach the service, if the operator named it. */
  publicUrl: string | undefined;
  hostname: string;
}

interface Asked {
  protocol: string;
  headers: {
    host?: string | undefined;
    origin?: string | undefined;
    "sec-fetch-site"?: string | string[] | undefined;
  };
}

export interface OwnHost {
  /** The address of the service as this client reaches it; undefined when the Host is not one of the service. */
  findBaseUrl(request: Asked): string | undefined;
  /** Refuses a request for another Host or of a page from another Origin. */
  require(request: Asked): void;
}

/**
 * Protects against DNS rebinding: a page of an attacker whose name suddenly resolves to this machine still sends that
 * name as Host. An address cannot be rebound, so every address is allowed.
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
      // Programs send neither; of a picture or a link in a page, a browser sends the site alone.
      const isOwnSite = site === "none" || site === "same-origin";
      if (origin === undefined ? isOwnSite : origin === open?.origin || parseUrl(origin)?.host === host) return;
      throw new Problem("forbidden", "Origin: pages of another site may not use this service");
    },
  };
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
