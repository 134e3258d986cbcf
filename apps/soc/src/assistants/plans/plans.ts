import { REPORT_PLAN, TRIAGE_PLAN } from "./case-plan.ts";
import { CLOUD_PLAN } from "./cloud-plan.ts";
import { CORRELATION_PLAN } from "./correlation-plan.ts";
import { CPS_GUARD_PLAN } from "./cps-guard-plan.ts";
import { ENDPOINT_PLAN } from "./endpoint-plan.ts";
import { ENRICHMENT_PLAN } from "./enrichment-plan.ts";
import { FIRMWARE_PLAN } from "./firmware-plan.ts";
import { IDENTITY_PLAN } from "./identity-plan.ts";
import { MALWARE_PLAN } from "./malware-plan.ts";
import { NETWORK_PLAN } from "./network-plan.ts";
import { PHISHING_PLAN } from "./phishing-plan.ts";
import { RESPONSE_PLAN } from "./response-plan.ts";
import type { AgentPlan, JudgedSubject } from "./step.ts";
import { THREAT_HUNT_PLAN } from "./threat-hunt-plan.ts";
import { THREAT_INTEL_PLAN } from "./threat-intel-plan.ts";

// SupervisorAgent has no plan: it selects the agents whose plans are triggered, judges, and asks the model if there is
// one.

/** The plans that gather evidence before the verdict. They change nothing. */
export const PLANS: readonly AgentPlan[] = [
  ENRICHMENT_PLAN,
  CORRELATION_PLAN,
  THREAT_INTEL_PLAN,
  THREAT_HUNT_PLAN,
  MALWARE_PLAN,
  PHISHING_PLAN,
  IDENTITY_PLAN,
  NETWORK_PLAN,
  ENDPOINT_PLAN,
  CLOUD_PLAN,
  CPS_GUARD_PLAN,
  FIRMWARE_PLAN,
];

/** The plans that act on the verdict. The order matters: response and report need the case that triage opens. */
export const JUDGED_PLANS: readonly AgentPlan<JudgedSubject>[] = [TRIAGE_PLAN, RESPONSE_PLAN, REPORT_PLAN];
