import { countValue } from "./prevalence.ts";
import { createPlan } from "./step.ts";
import { listAddresses, listHosts, listUsers } from "./subject.ts";

const MAX_EACH = 2;

/** Counts how common the hosts, users and addresses of the alert are. */
export const ENRICHMENT_PLAN = createPlan("agent-002", {
  isTriggered: (subject) =>
    listHosts(subject).length + listUsers(subject).length + listAddresses(subject, "src_ip", "dst_ip").length > 0,

  steps: (subject) => [
    ...listUsers(subject)
      .slice(0, MAX_EACH)
      .map((value) => countValue(subject, { noun: "The user", field: "user", value, counted: "host" })),
    ...listAddresses(subject, "dst_ip")
      .slice(0, 1)
      .map((value) => countValue(subject, { noun: "The destination", field: "dst_ip", value, counted: "host" })),
    ...listAddresses(subject, "src_ip")
      .slice(0, 1)
      .map((value) => countValue(subject, { noun: "The source address", field: "src_ip", value, counted: "host" })),
    ...listHosts(subject)
      .slice(0, MAX_EACH)
      .map((value) => countValue(subject, { noun: "The host", field: "host", value, counted: "user" })),
  ],
});
