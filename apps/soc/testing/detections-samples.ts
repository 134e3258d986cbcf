import type { World } from "./sample-world.ts";

/** What the routes of detections need beside their path so that they succeed. */
export const DETECTION_BODIES: Readonly<Record<string, (world: World) => object>> = {
  "POST /detections/rules": () => ({ name: `rule ${Math.random()}`, query: "user:nobody" }),
  "PATCH /detections/rules/{rule_id}": () => ({ tags: [`tag-${Math.random()}`] }),
  "POST /detections/rules/{rule_id}/suppressions": () => ({
    name: "quiet",
    criteria: { host: "web-1" },
    suppress_for_hours: 1,
  }),
  "POST /detections/rules/{rule_id}/suppressions/preview": () => ({ criteria: { host: "web-1" } }),
  "POST /detections/rules/{rule_id}/feedback": () => ({ verdict: "true_positive" }),
  "POST /detections/rules/preview": () => ({ query: "user:nobody" }),
  "POST /detections/rules/{rule_id}/preview": () => ({}),
  "POST /detections/rules/import": () => ({ yaml: sigmaOf(`rule ${Math.random()}`) }),
  "PUT /detections/attack": () => ({ "enterprise-attack": { tactics: [], techniques: [] } }),
};

function sigmaOf(title: string): string {
  return [
    `title: ${title}`,
    "logsource: {product: windows, category: process_creation}",
    "detection: {selection: {Image|endswith: whoami.exe}, condition: selection}",
  ].join("\n");
}
