import { countValue } from "./prevalence.ts";
import { createPlan } from "./step.ts";
import { addressesOf, hostsOf, usersOf } from "./subject.ts";

const MAX_EACH = 2;

/** How common the hosts, users and addresses of the alert are. */
export const ENRICHMENT_PLAN = createPlan("agent-002", {
  isTriggered: (subject) =>
    hostsOf(subject).length + usersOf(subject).length + addressesOf(subject, "src_ip", "dst_ip").length > 0,

  steps: (subject) => [
    ...usersOf(subject)
      .slice(0, MAX_EACH)
      .map((value) => countValue(subject, { noun: "The user", field: "user", value, counted: "host" })),
    ...addressesOf(subject, "dst_ip")
      .slice(0, 1)
      .map((value) => countValue(subject, { noun: "The destination", field: "dst_ip", value, counted: "host" })),
    ...addressesOf(subject, "src_ip")
      .slice(0, 1)
      .map((value) => countValue(subject, { noun: "The source address", field: "src_ip", value, counted: "host" })),
    ...hostsOf(subject)
      .slice(0, MAX_EACH)
      .map((value) => countValue(subject, { noun: "The host", field: "host", value, counted: "user" })),
  ],
});
