import type { Field } from "@kit/query/condition";
import type { LogField } from "../../ports/log-event.ts";

/** Sigma field names that map to built-in fields of a log. */
const FIELD_OF: Readonly<Record<string, LogField>> = {
  EventID: "event_code",
  event_id: "event_code",
  Computer: "host",
  ComputerName: "host",
  Hostname: "host",
  Message: "message",
  // The normaliser omits these from the attributes if the name is already a built-in field.
  message: "message",
  host: "host",
  user: "user",
  action: "action",
  outcome: "outcome",
  process: "process",
  src_ip: "src_ip",
  dst_ip: "dst_ip",
  src_port: "src_port",
  dst_port: "dst_port",
};

/** Synonyms of attribute names. */
const ATTRIBUTE_OF: Readonly<Record<string, string>> = {
  EventLog: "Channel",
  ProviderName: "Provider_Name",
  Feature_Name: "FeatureName",
};

const NUMBERS: ReadonlySet<LogField> = new Set(["src_port", "dst_port"]);

export function toField(name: string): Field {
  const own = Object.hasOwn(FIELD_OF, name) ? FIELD_OF[name] : undefined;
  if (own !== undefined) return { name: own };
  const attribute = Object.hasOwn(ATTRIBUTE_OF, name) ? ATTRIBUTE_OF[name] : undefined;
  return { attribute: (attribute ?? name).split(".") };
}

export function holdsNumber(field: Field): boolean {
  return "name" in field && NUMBERS.has(field.name);
}
