import { existsSync, readdirSync } from "node:fs";
import fastifyStatic from "@fastify/static";
import { Problem } from "@kit/problem";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

export interface PagesOptions {
  /** The folder of the built web interface; undefined: this server has none. */
  folder: string | undefined;
  /** Below this path an unknown address is refused, never answered with a page. */
  api: string;
}

const PAGE_HEADERS = {
  "content-security-policy": [
    "default-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join("; "),
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
};

/**
 * Serves the web interface wherever no route is. A path without a file name is the interface's own: the start page. So
 * is one that only looks like a file, such as `/entity/ip/192.0.2.1`, when a person opens it.
 */
export function servePages(app: FastifyInstance, { folder, api }: PagesOptions): void {
  // Only what the folder held at the start is ever served, so no path, however written, leads out of it.
  const found =
    folder !== undefined && existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  // A compressed file is an encoding of the original, and has no separate address.
  const files = new Set(found.filter((name) => !/\.(br|gz)$/.test(name)));
  if (folder !== undefined)
    app.register(fastifyStatic, { root: folder, serve: false, cacheControl: false, preCompressed: true });
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request);
    const isFile = /\.[^/]*$/.test(path) && (files.has(path.slice(1)) || !isVisit(request));
    const file = isFile ? path.slice(1) : "index.html";
    const isPage = file === "index.html" && path !== "/index.html";
    if (!isRead(request) || isBelow(path, api) || !files.has(file) || (isPage && wantsJson(request))) {
      // The path is not repeated: a mistyped address may hold a token.
      throw new Problem("not_found", "path: there is nothing at this address", { field: "path" });
    }
    return sendPage(reply, file);
  });
}

/** The path as the router reads it: without the query, percent signs decoded where they can be. */
export function pathOf(request: FastifyRequest): string {
  const path = request.url.split("?", 1)[0] ?? "";
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

export function isBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

function isRead({ method }: FastifyRequest): boolean {
  return method === "GET" || method === "HEAD";
}

/** A browser that opens the address, not a part of a page that is missing. */
function isVisit({ headers: { accept = "" } }: FastifyRequest): boolean {
  return accept.includes("text/html");
}

/** A program that asks for JSON would fail on a page in a way that says nothing about the wrong address. */
function wantsJson({ headers: { accept = "" } }: FastifyRequest): boolean {
  return accept.includes("json") && !accept.includes("text/html");
}

function sendPage(reply: FastifyReply, file: string): FastifyReply {
  reply.headers(PAGE_HEADERS);
  // The build puts a hash of the content into the names of these files.
  const isHashed = file.startsWith("assets/");
  reply.header("cache-control", isHashed ? "public, max-age=31536000, immutable" : "no-cache");
  return reply.sendFile(file);
}
