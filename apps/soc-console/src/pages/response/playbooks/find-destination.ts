/** The parameters that name where an action reaches, in the order in which they are read. */
const NAMES = ["endpoint", "device_id", "channel", "adapter", "method", "path"];

/** Where a step reaches, as the playbook says it: `{parameters.host}`, `firewall POST /block`. */
export function findDestination(params: Readonly<Record<string, unknown>> | undefined): string {
  return NAMES.map((name) => params?.[name])
    .filter((value) => typeof value === "string")
    .join(" ");
}
