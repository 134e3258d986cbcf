import { assessIndicator } from "./known-indicators.ts";
import { createPlan, type Subject } from "./step.ts";
import { listAddresses, listIndicators } from "./subject.ts";

/** MalwareAgent handles hashes. */
const HASHES: ReadonlySet<string> = new Set(["md5", "sha1", "sha256"]);

function listValues(subject: Subject): string[] {
  const named = listIndicators(subject).filter(({ type }) => !HASHES.has(type));
  return [...new Set([...named.map(({ value }) => value), ...listAddresses(subject, "dst_ip", "src_ip")])];
}

/** Looks up the addresses, domains, URLs and senders of the alert as indicators. */
export const THREAT_INTEL_PLAN = createPlan("agent-004", {
  isTriggered: (subject) => listValues(subject).length > 0,
  steps: (subject) => listValues(subject).map((value) => assessIndicator(subject, "The observable", value)),
});
