/** The parameters that name the destination of an action, in order of precedence. */
const NAMES = ["endpoint", "device_id", "channel", "adapter", "method", "path"];

/** The destination of a step as the playbook writes it: `{parameters.host}`, `firewall POST /block`. */
export function findDestination(params: Readonly<Record<string, unknown>> | undefined): string {
  return NAMES.map((name) => params?.[name])
    .filter((value) => typeof value === "string")
    .join(" ");
}
