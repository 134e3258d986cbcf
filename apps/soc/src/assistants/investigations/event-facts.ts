import { unifyHost } from "../../foundation/records/entity-name.ts";
import { attributeAt, PROCESS_NAMES, type ProcessNames } from "../../logs/module.ts";
import type { LogEvent } from "../../ports/log-event.ts";

/** A process as one event names it. Sensors with their own process ids provide a guid; others only a number. */
export interface ProcessRef {
  /** Normalised. */
  host: string;
  guid: string;
  pid: number;
  image: string;
}

/** The entities of an event under the names that Windows, Sysmon and ECS use. */
export interface EventFacts {
  host: string;
  /** The process that acted; for a process start, the started process. */
  actor?: ProcessRef;
  /** Only for a process start. */
  parent?: ProcessRef;
  /** The process that the actor opened or started a thread in. */
  target?: ProcessRef;
  /** Whether the actor could run its own code in the target. */
  isInjection: boolean;
  isStart: boolean;
  /** The logon session; "" for sessions of the system, which every service shares. */
  session: string;
}

const SYSTEM_SESSIONS: ReadonlySet<string> = new Set(["0x0", "0x3e4", "0x3e5", "0x3e7"]);
/** PROCESS_VM_OPERATION and PROCESS_VM_WRITE: the rights needed to inject code into another process. */
const WRITE_RIGHTS = 0x28;

const { actor: ACTOR_NAMES, parent: PARENT_NAMES, target: TARGET_NAMES } = PROCESS_NAMES;
const { audit: AUDIT_NAMES, session: SESSION_NAMES } = PROCESS_NAMES;

export function readFacts(log: LogEvent): EventFacts {
  const host = unifyHost(log.host);
  const isAuditStart = textOf(log, AUDIT_NAMES.actor) !== "";
  const isStart = isAuditStart || (textOf(log, "ParentProcessId") !== "" && textOf(log, "CommandLine") !== "");
  const parentNames = isAuditStart ? { ...PARENT_NAMES, pid: [AUDIT_NAMES.parent] } : PARENT_NAMES;
  const actor = readProcess(log, host, ACTOR_NAMES) ?? readScriptHost(log, host);
  const parent = isStart ? readProcess(log, host, parentNames) : undefined;
  const target = readProcess(log, host, TARGET_NAMES);
  return {
    host,
    ...(actor && { actor }),
    ...(parent && { parent }),
    ...(target && { target }),
    isInjection: target !== undefined && isInjection(log),
    isStart,
    session: readSession(log),
  };
}

/** Returns the value of a field or attribute as text; "" if it is missing. Windows writes "-" for an empty value. */
export function textOf(log: LogEvent, name: string): string {
  const value = isColumn(log, name) ? log[name] : attributeAt(log, name);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value !== "-" ? value : "";
}

export function firstTextOf(log: LogEvent, names: readonly string[]): string {
  for (const name of names) {
    const value = textOf(log, name);
    if (value !== "") return value;
  }
  return "";
}

function isColumn(log: LogEvent, name: string): name is Exclude<keyof LogEvent, "attributes"> {
  return name !== "attributes" && Object.hasOwn(log, name);
}

function readProcess(log: LogEvent, host: string, names: ProcessNames): ProcessRef | undefined {
  const guid = firstTextOf(log, names.guid).toLowerCase();
  const pid = parseNumber(firstTextOf(log, names.pid));
  if (guid === "" && pid === 0) return undefined;
  return { host, guid, pid, image: firstTextOf(log, names.image) };
}

/** PowerShell's log names its process only as the writer of the event. */
function readScriptHost(log: LogEvent, host: string): ProcessRef | undefined {
  if (!log.source.startsWith("Microsoft-Windows-PowerShell")) return undefined;
  const pid = parseNumber(textOf(log, "ExecutionProcessID"));
  return pid === 0 ? undefined : { host, guid: "", pid, image: "" };
}

/** Parses decimal numbers and prefixed hexadecimal numbers. */
function parseNumber(text: string): number {
  const value = /^(?:0x[0-9a-f]+|\d+)$/i.test(text) ? Number(text) : 0;
  return Number.isSafeInteger(value) ? value : 0;
}

function isInjection(log: LogEvent): boolean {
  const access = textOf(log, "GrantedAccess");
  if (access === "") return textOf(log, "NewThreadId") !== "";
  // Code that is in no file on disk requested write access.
  return (parseNumber(access) & WRITE_RIGHTS) === WRITE_RIGHTS && textOf(log, "CallTrace").includes("UNKNOWN");
}

function readSession(log: LogEvent): string {
  const session = firstTextOf(log, SESSION_NAMES).toLowerCase();
  return SYSTEM_SESSIONS.has(session) ? "" : session;
}

/** Returns the file name of an image in lower case. */
export function nameOf(image: string): string {
  return image.slice(Math.max(image.lastIndexOf("\\"), image.lastIndexOf("/")) + 1).toLowerCase();
}
