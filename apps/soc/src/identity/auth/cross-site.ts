import type { FastifyRequest } from "fastify";

const SIMPLE_TYPES = ["", "text/plain", "multipart/form-data", "application/x-www-form-urlencoded"];

/** Whether, according to the browser's headers, a page of another origin requests a change. */
export function isChangeFromAnotherSite({ method, headers }: Pick<FastifyRequest, "method" | "headers">): boolean {
  if (method === "GET" || method === "HEAD") return false;
  const { "sec-fetch-site": site = "none", origin, host } = headers;
  const isForeignSite = site !== "same-origin" && site !== "none";
  return isForeignSite || (origin !== undefined && hostOf(origin) !== host);
}

/** Whether a page of any site could send the body without asking first (Fetch standard, CORS-safelisted Content-Type). */
export function hasSimpleBody({ headers }: Pick<FastifyRequest, "headers">): boolean {
  const { "content-type": type = "", "content-length": length = "0", "transfer-encoding": encoding } = headers;
  if (encoding === undefined && length === "0") return false;
  const essence = type.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return SIMPLE_TYPES.includes(essence);
}

/** An opaque origin is "null", which has no host. */
function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
