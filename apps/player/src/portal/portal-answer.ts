import { buildPortalPage, PORTAL_POLICY, type PortalLanguage, type PortalStep } from "./portal-page.ts";

export interface PortalRequest {
  method: string;
  /** The values of all Host headers. */
  hosts: readonly string[];
  /** The request target as it was sent. */
  target: string;
  acceptLanguage: string;
  /** The person with this phone has pressed "Continue". */
  isReleased: boolean;
}

/** The device in its set-up network. */
export interface PortalPlace {
  ssid: string;
  address: string;
  /** The port of these pages. */
  port: number;
  dashboardUrl: string;
}

export interface PortalAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** The page that a person sees; undefined for all other answers. */
  step?: PortalStep;
}

const HTML = "text/html; charset=utf-8";
const TEXT = "text/plain; charset=utf-8";
const APPLE = "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>";
const FIREFOX = '<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>';

/** What each system must read at its own address to consider the network usable. Any other answer opens its sheet. */
const PROBES: Readonly<Record<string, { status: number; type: string; body: string }>> = {
  "/hotspot-detect.html": { status: 200, type: HTML, body: APPLE },
  "/library/test/success.html": { status: 200, type: HTML, body: APPLE },
  "/generate_204": { status: 204, type: TEXT, body: "" },
  "/gen_204": { status: 204, type: TEXT, body: "" },
  "/connecttest.txt": { status: 200, type: TEXT, body: "Microsoft Connect Test" },
  "/ncsi.txt": { status: 200, type: TEXT, body: "Microsoft NCSI" },
  "/success.txt": { status: 200, type: TEXT, body: "success\n" },
  "/canonical.html": { status: 200, type: HTML, body: FIREFOX },
};

const STEPS: Readonly<Record<string, PortalStep>> = { "/": "welcome", "/start": "open" };
const HOST = /^([a-z0-9.-]{1,253}|\[[0-9a-f:.]{2,45}\])(:\d{1,5})?$/;

const COMMON = {
  "cache-control": "no-store",
  "content-security-policy": PORTAL_POLICY,
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  connection: "close",
} as const;

/** Decides by the request alone. Nothing of the request is repeated in the answer. */
export function answerPortal(request: PortalRequest, place: PortalPlace): PortalAnswer {
  if (request.method !== "GET" && request.method !== "HEAD") {
    return plain(405, "only GET is answered here", { allow: "GET, HEAD" });
  }
  const host = readHost(request.hosts);
  const path = readPath(request.target);
  if (host === undefined || path === undefined) return plain(400, "the request has no valid host and path");
  if (host !== place.address) return answerForeignHost(path, request.isReleased, place);
  const step = STEPS[path];
  if (!step) return plain(404, "there is no such page");
  const { ssid, dashboardUrl } = place;
  const body = buildPortalPage({ step, language: readLanguage(request.acceptLanguage), ssid, dashboardUrl });
  return { status: 200, headers: { ...COMMON, "content-type": HTML }, body, step };
}

/** In the set-up network every name leads here. */
function answerForeignHost(path: string, isReleased: boolean, { address, port }: PortalPlace): PortalAnswer {
  const probe = isReleased ? PROBES[path] : undefined;
  if (probe) {
    return { status: probe.status, headers: { ...COMMON, "content-type": probe.type }, body: probe.body };
  }
  return plain(302, "", { location: `http://${address}${port === 80 ? "" : `:${port}`}/` });
}

function plain(status: number, body: string, headers: Readonly<Record<string, string>> = {}): PortalAnswer {
  return { status, headers: { ...COMMON, "content-type": TEXT, ...headers }, body };
}

function readHost(hosts: readonly string[]): string | undefined {
  const [host = "", ...others] = hosts;
  return others.length === 0 ? HOST.exec(host.toLowerCase())?.[1] : undefined;
}

/** A client that takes this device for a proxy sends a whole URL. */
function readPath(target: string): string | undefined {
  return URL.canParse(target, "http://host") ? new URL(target, "http://host").pathname : undefined;
}

function readLanguage(acceptLanguage: string): PortalLanguage {
  return /^\s*ar\b/i.test(acceptLanguage) ? "ar" : "en";
}
