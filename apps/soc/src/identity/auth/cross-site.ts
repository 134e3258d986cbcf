import type { FastifyRequest } from "fastify";

/** Whether, according to the browser's headers, a page of another origin requests a change. */
export function isChangeFromAnotherSite({ method, headers }: Pick<FastifyRequest, "method" | "headers">): boolean {
  if (method === "GET" || method === "HEAD") return false;
  const { "sec-fetch-site": site = "none", origin, host } = headers;
  const isForeignSite = site !== "same-origin" && site !== "none";
  return isForeignSite || (origin !== undefined && hostOf(origin) !== host);
}

/** An opaque origin is "null", which has no host. */
function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
