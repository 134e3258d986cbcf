import type { Condition, Field, Pattern } from "@kit/query/condition";
import { splitWords } from "@kit/query/condition-words";
import { PROCESS_NAMES } from "../../logs/module.ts";
import type { LogField } from "../../ports/log-event.ts";
import type { ProcessRef } from "./event-facts.ts";

/** Field names with the number of a process in events without a guid. */
const NUMBER_NAMES = ["ProcessId", "NewProcessId", "ParentProcessId", "ExecutionProcessID", "process.pid"];
/** The Windows audit writes these in hexadecimal. */
const AUDIT_NAMES = ["ProcessId", "NewProcessId"];

/**
 * Matches the events on the host that mention the process; the reader keeps those in which it acts, is the target or
 * starts another one. An index finds the words of a guid, so no attribute needs to be read.
 */
export function buildProcessCondition({ host, guid, pid }: ProcessRef): Condition {
  const words = splitWords(guid);
  const byGuid: Condition[] = words.length === 0 ? [] : [{ kind: "words", words }];
  const byNumber = pid === 0 ? [] : [isOne(NUMBER_NAMES, String(pid)), isOne(AUDIT_NAMES, `0x${pid.toString(16)}`)];
  return { kind: "and", of: [buildHostCondition(host), { kind: "or", of: [...byGuid, ...byNumber] }] };
}

export function buildSessionCondition({ host, id }: { host: string; id: string }): Condition {
  return { kind: "and", of: [buildHostCondition(host), isOne(PROCESS_NAMES.session, id)] };
}

/** Treats `DOMAIN\user` and `user@domain` as `user`. */
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

/** Matches a host with or without its domain. */
function buildHostCondition(host: string): Condition {
  return {
    kind: "or",
    of: [
      textIs({ name: "host" }, [{ text: host }]),
      textIs({ name: "host" }, [{ text: `${host}.` }, { wildcard: "any" }]),
    ],
  };
}

/** Is true if one of these attributes has the value. */
function isOne(names: readonly string[], text: string): Condition {
  return { kind: "or", of: names.map((name) => textIs({ attribute: name.split(".") }, [{ text }])) };
}

function textIs(field: Field, pattern: Pattern): Condition {
  return { kind: "text", field, pattern, isCased: false };
}
