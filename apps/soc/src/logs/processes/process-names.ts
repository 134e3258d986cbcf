import type { LogEvent } from "../../ports/log-event.ts";

/** The names under which events store the GUID, the PID and the image of a process; the first existing one is used. */
const ACTOR_NAMES = {
  guid: ["ProcessGuid", "ProcessGUID", "SourceProcessGuid", "SourceProcessGUID", "process.entity_id"],
  pid: ["NewProcessId", "ProcessId", "SourceProcessId", "ProcessID", "process.pid"],
  image: ["Image", "NewProcessName", "ProcessName", "SourceImage", "Application", "process.executable"],
};
const PARENT_NAMES = {
  guid: ["ParentProcessGuid", "ParentProcessGUID", "process.parent.entity_id"],
  pid: ["ParentProcessId", "process.parent.pid"],
  image: ["ParentImage", "ParentProcessName", "process.parent.executable", "process.parent.name"],
};
const TARGET_NAMES = {
  guid: ["TargetProcessGuid", "TargetProcessGUID"],
  pid: ["TargetProcessId"],
  image: ["TargetImage"],
};
/** In the Windows audit of a process start (4688), ProcessId is the creator of the new process. */
const AUDIT_NAMES = { actor: "NewProcessId", parent: "ProcessId" };
const SESSION_NAMES = ["LogonId", "TargetLogonId", "SubjectLogonId"];

export type ProcessNames = typeof ACTOR_NAMES;
/** For code that looks processes up by these names. */
export const PROCESS_NAMES = {
  actor: ACTOR_NAMES,
  parent: PARENT_NAMES,
  target: TARGET_NAMES,
  audit: AUDIT_NAMES,
  session: SESSION_NAMES,
};

/** Attributes keep the names of the event: `a.b` is one name, or `b` within `a`. */
export function attributeAt(log: LogEvent, name: string): unknown {
  if (Object.hasOwn(log.attributes, name)) return log.attributes[name];
  let value: unknown = log.attributes;
  for (const part of name.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = Object.entries(value).find(([key]) => key === part)?.[1];
  }
  return value;
}
