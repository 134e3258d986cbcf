import { useApp, useResource } from "../app.ts";
import { lastOf } from "../live/resource.ts";

/** `unknown`: the device did not answer. Undefined until the first answer. */
export type Sound = "works" | "failed" | "unknown";

/** Whether the device's sound output started. */
export function useSound(): Sound | undefined {
  const { live } = useApp();
  const reading = useResource(live.system);
  const system = lastOf(reading);
  if (system) return system.boot_failures.some(({ component }) => component === "audio") ? "failed" : "works";
  return reading.state === "failed" ? "unknown" : undefined;
}
