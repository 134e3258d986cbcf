import { isKit, isProductCode, isService, isTest, isToolConfig, isUserInterface } from "./layout.ts";
import { type Finding, fileRule, type Rule } from "./rule.ts";
import type { SourceFile } from "./source-file.ts";

type NamedUse = SourceFile["uses"][number];

/** A place that a rule does not apply to, and why. */
interface Exception {
  path: RegExp;
  reason: string;
}

function isExcepted(path: string, exceptions: readonly Exception[]): boolean {
  return exceptions.some((exception) => exception.path.test(path));
}

function isBelow(name: string, parent: string): boolean {
  return name === parent || name.startsWith(`${parent}.`);
}

/** Node accepts its modules with and without the prefix. */
function toModule({ module }: NamedUse): string | undefined {
  return module?.replace(/^node:/, "");
}

function findings(file: SourceFile, isRefused: (use: NamedUse) => boolean, why: string): Finding[] {
  return file.uses.filter(isRefused).map((use) => {
    const what = [use.module, use.name].filter(Boolean).join(" ");
    return { line: use.line, message: `${why} (${what})` };
  });
}

const PROCESS_EXCEPTIONS: readonly Exception[] = [
  { path: /^apps\/[^/]+\/src\/main[^/]*\.ts$/, reason: "an entry file is the process" },
  { path: /^packages\/testing\/src\//, reason: "starts, signals and watches processes for tests" },
];

const processes = fileRule(
  "only main.ts touches process",
  "a function that reads the environment or exits cannot be tested or run twice in one process",
  (file) =>
    isProductCode(file.path) && !isExcepted(file.path, PROCESS_EXCEPTIONS)
      ? findings(
          file,
          (use) => toModule(use) === "process" || (use.module === undefined && isBelow(use.name, "process")),
          "process is a parameter here",
        )
      : [],
);

const SOCKET_EXCEPTIONS: readonly Exception[] = [
  { path: /^apps\/[^/]+\/src\/(?:foundation\/)?outbound\//, reason: "the only way out, through the guard" },
  { path: /^apps\/[^/]+\/src\/adapters\//, reason: "our own servers" },
  { path: /^apps\/player\/src\/drivers\//, reason: "hardware, and our own engine on this machine" },
  { path: /^apps\/player\/src\/streams\/relay\.ts$/, reason: "feeds the audio engine on loopback" },
  {
    path: /^apps\/player\/src\/monitoring\/(?:broker|platform)-client\.ts$/,
    reason:
      "the platform that the owner chose, judged by the guard and pinned by its authority, which the guard cannot do",
  },
  {
    path: /^apps\/soc\/src\/(?:logs\/)?intake\/(?:syslog\/)?syslog\.worker\.ts$/,
    reason: "listens for syslog and connects to no host",
  },
  {
    path: /^apps\/soc\/src\/boot\/commands\/service-(?:client|probe)\.ts$/,
    reason: "a command that speaks to the service that its user named",
  },
  {
    path: /^apps\/player\/src\/commands\/(?:service|line)-client\.ts$/,
    reason: "a command that speaks to the service on this machine",
  },
  {
    path: /^apps\/player\/src\/system\/line-server\.ts$/,
    reason: "listens at a file of the service's user and connects to no host",
  },
  { path: /^packages\/guard\/src\//, reason: "checks and opens what goes out" },
  { path: /^packages\/testing\/src\//, reason: "proxies, browsers and hostile clients for tests" },
];

const SOCKET_MODULES =
  /^(net|tls|https?|http2|dgram|dns(\/promises)?|undici|axios|got|ky|needle|node-fetch|superagent|ws|mqtt|nodemailer|pg|playwright(-core)?|socket\.io-client)$/;
const SOCKET_GLOBALS = ["fetch", "WebSocket", "EventSource", "XMLHttpRequest", "navigator.sendBeacon"];
// They compute or describe; none of them opens anything.
const HARMLESS = /^(isIP|isIPv4|isIPv6|BlockList|STATUS_CODES|METHODS|rootCertificates|createSecureContext)$/;
const LISTENING = /^(createServer|Server|IncomingMessage|ServerResponse)$/;

/** The SOC records what leaves: there the guard itself is a way out, too. Its addresses only compute. */
function goesUnrecorded({ module = "", name }: NamedUse, path: string): boolean {
  if (!path.startsWith("apps/soc/src/")) return false;
  const isGuard = /^@kit\/guard(\/|$)/.test(module) && module !== "@kit/guard/address";
  return isGuard || (module === "jose" && name === "createRemoteJWKSet");
}

function opensSocket(use: NamedUse, path: string): boolean {
  const module = toModule(use);
  if (module === undefined) return SOCKET_GLOBALS.some((name) => isBelow(use.name, name));
  if (goesUnrecorded(use, path)) return true;
  if (!SOCKET_MODULES.test(module) || HARMLESS.test(use.name)) return false;
  const isInbound = path.startsWith("packages/http/src/") && /^https?$/.test(module) && LISTENING.test(use.name);
  return !isInbound && use.form !== "instanceof";
}

const sockets = fileRule(
  "sockets are opened in few places",
  "every way out must pass the guard against requests to internal hosts, and in the SOC the mode and the record",
  (file) =>
    isProductCode(file.path) && !isUserInterface(file.path) && !isExcepted(file.path, SOCKET_EXCEPTIONS)
      ? findings(file, (use) => opensSocket(use, file.path), "opens a way out")
      : [],
);

const origin = fileRule(
  "user interfaces talk to their own origin",
  "the page is served by the service it speaks to; the content security policy allows nothing else",
  (file) =>
    isUserInterface(file.path) && !isTest(file.path)
      ? findings(
          file,
          (use) =>
            (use.module !== undefined && SOCKET_MODULES.test(toModule(use) ?? "")) ||
            (SOCKET_GLOBALS.some((name) => isBelow(use.name, name)) && /^([a-z]+:)?\/\//.test(use.firstText ?? "")),
          "speaks to another origin",
        )
      : [],
);

const CLOCK_EXCEPTIONS: readonly Exception[] = [
  { path: /^packages\/clock\/src\//, reason: "the one reader of clocks and chance" },
  { path: /^packages\/testing\/src\//, reason: "waits for real processes" },
];
// The kit stays out of the bundles, so each user interface has one such file of its own.
const USER_INTERFACE_CLOCK = /^apps\/[^/]+\/src\/(?:app\/)?clock\.ts$/;

const TIMERS = /^(setTimeout|setInterval|setImmediate|requestAnimationFrame|requestIdleCallback|AbortSignal\.timeout)$/;
const CLOCK_MODULES = /^timers(\/promises)?$/;
const CHANCE = /(^|\.)(randomUUID|randomBytes|pseudoRandomBytes|randomInt|randomFill|randomFillSync|getRandomValues)$/;

function readsDate({ name, form, argumentCount }: NamedUse): boolean {
  if (name !== "Date") return isBelow(name, "Date.now");
  return !(form === "instanceof" || (form === "new" && argumentCount > 0));
}

function readsClock(use: NamedUse): boolean {
  const module = toModule(use);
  if (module !== undefined) {
    return CLOCK_MODULES.test(module) || (module === "perf_hooks" && /^(performance\b.*)?$/.test(use.name));
  }
  const isMeasure = isBelow(use.name, "performance") || /^process\.(hrtime|uptime)\b/.test(use.name);
  return readsDate(use) || TIMERS.test(use.name) || isMeasure || isBelow(use.name, "Temporal.Now");
}

function readsChance(use: NamedUse): boolean {
  const module = toModule(use);
  if (module === "crypto") return use.name === "" || use.name === "webcrypto" || CHANCE.test(use.name);
  if (module !== undefined) return false;
  const isCrypto = use.name === "crypto" || (isBelow(use.name, "crypto") && CHANCE.test(use.name));
  return isCrypto || use.name === "Math" || isBelow(use.name, "Math.random");
}

const clocks = fileRule(
  "time and chance are parameters",
  "a test moves a clock instead of waiting, and repeats a run by its seed",
  (file) => {
    if (!isProductCode(file.path) || isExcepted(file.path, CLOCK_EXCEPTIONS)) return [];
    const mayReadClock = isUserInterface(file.path) && USER_INTERFACE_CLOCK.test(file.path);
    return findings(
      file,
      (use) => readsChance(use) || (!mayReadClock && readsClock(use)),
      "take it from a clock or ids",
    );
  },
);

const readable = fileRule(
  "every import can be read",
  "these rules see names in the source; a computed import or a bare globalThis goes around all of them",
  (file) =>
    isService(file.path) || isKit(file.path) || isUserInterface(file.path)
      ? isTest(file.path) || isToolConfig(file.path) || file.path.startsWith("packages/testing/")
        ? []
        : findings(
            file,
            (use) =>
              (use.module === undefined && /^(import|require|globalThis|global|window|self)$/.test(use.name)) ||
              (toModule(use) === "module" && /^(createRequire)?$/.test(use.name)),
            "hides what it imports",
          )
      : [],
);

export const WORLD_RULES: readonly Rule[] = [processes, sockets, origin, clocks, readable];
