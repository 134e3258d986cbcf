import type { Condition, Field, Pattern } from "../../logs/query/condition.ts";
import type { LogField } from "../../logs/search/log.ts";
import { PROCESS_NAMES, type ProcessRef } from "./event-facts.ts";

/** The events in which the process acts or is acted on. Wider than needed where an event knows only a number. */
export function buildProcessCondition(process: ProcessRef): Condition {
  const { actor, target } = PROCESS_NAMES;
  return processCondition(
    process,
    [...actor.guid, ...target.guid],
    [...actor.pid, ...target.pid, "ExecutionProcessID"],
  );
}

/** The starts of processes by this one. The Windows audit names the parent as ProcessId. */
export function buildStartsCondition(process: ProcessRef): Condition {
  const { parent } = PROCESS_NAMES;
  return processCondition(process, parent.guid, [...parent.pid, "ProcessId"]);
}

export function buildSessionCondition({ host, id }: { host: string; id: string }): Condition {
  return { kind: "and", of: [buildHostCondition(host), isOne(PROCESS_NAMES.session, [id])] };
}

/** `DOMAIN\user` and `user@domain` are the same user as `user`. */
export function buildUserCondition(name: string): Condition {
  return {
    kind: "or",
    of: [
      textIs({ name: "user" }, [{ text: name }]),
      textIs({ name: "user" }, [{ wildcard: "any" }, { text: `\\${name}` }]),
      textIs({ name: "user" }, [{ text: `${name}@` }, { wildcard: "any" }]),
    ],
  };
}

export function buildAddressCondition(address: string): Condition {
  const names = ["src_ip", "dst_ip"] as const satisfies readonly LogField[];
  return { kind: "or", of: names.map((name) => textIs({ name }, [{ text: address }])) };
}

export function buildImageCondition(image: string): Condition {
  return textIs({ name: "process" }, [{ text: image }]);
}

/** A host with or without its domain. */
function buildHostCondition(host: string): Condition {
  return {
    kind: "or",
    of: [
      textIs({ name: "host" }, [{ text: host }]),
      textIs({ name: "host" }, [{ text: `${host}.` }, { wildcard: "any" }]),
    ],
  };
}

function processCondition(
  { host, guid, pid }: ProcessRef,
  guids: readonly string[],
  pids: readonly string[],
): Condition {
  const byGuid = guid === "" ? [] : [isOne(guids, [guid])];
  const byNumber: Condition[] =
    pid === 0
      ? []
      : [{ kind: "and", of: [buildHostCondition(host), isOne(pids, [String(pid), `0x${pid.toString(16)}`])] }];
  return { kind: "or", of: [...byGuid, ...byNumber] };
}

/** One of these attributes has one of these values. */
function isOne(names: readonly string[], values: readonly string[]): Condition {
  return {
    kind: "or",
    of: names.flatMap((name) => values.map((text) => textIs({ attribute: name.split(".") }, [{ text }]))),
  };
}

function textIs(field: Field, pattern: Pattern): Condition {
  return { kind: "text", field, pattern, isCased: false };
}
