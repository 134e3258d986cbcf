import type { Automation } from "../response/automations/automation.ts";
import type { SoarRule } from "../response/automations/soar-rules.schema.ts";
import { type Analyst, minutesBefore, toStoryId } from "./story.ts";

/** Rules that users can view and enable in dummy mode, without any effect. */
export const SOAR_RULES: readonly SoarRule[] = [
  {
    name: "Contain a host that reads passwords from memory",
    description: "Asks for approval, then takes the host off the network.",
    condition: "source:edr AND severity:critical AND mitre_techniques:T1003*",
    playbook_id: "ransomware-host",
    enabled: true,
  },
  {
    name: "Look into mail with a copied sign-in page",
    description: "Collects who got it and who clicked.",
    condition: "source:email-gateway AND mitre_techniques:T1566*",
    playbook_id: "phishing",
    enabled: true,
  },
  {
    name: "Revoke a device that runs unknown firmware",
    description: "Off while the gateways are being replaced.",
    condition: "source:cps-attestation AND severity:critical",
    playbook_id: "firmware-mismatch",
    enabled: false,
  },
].map((rule, index) => ({ ...rule, id: toStoryId("soar_rule", index + 1) }));

interface AutomationFact
  extends Pick<Automation, "name" | "condition" | "playbook_id" | "enabled" | "cooldown_minutes"> {
  by: Analyst;
  minutesAgo: number;
  firedMinutesAgo: number | null;
  fired_24h: number;
}

const AUTOMATIONS: readonly AutomationFact[] = [
  {
    name: "phishing-mail",
    condition: "source:email-gateway AND mitre_techniques:T1566*",
    playbook_id: "phishing",
    enabled: true,
    cooldown_minutes: 10,
    by: "hassan.ali",
    minutesAgo: 40_320,
    firedMinutesAgo: 1580,
    fired_24h: 0,
  },
  {
    name: "unknown-firmware",
    condition: "source:cps-attestation AND severity:critical",
    playbook_id: "firmware-mismatch",
    enabled: true,
    cooldown_minutes: 60,
    by: "hassan.ali",
    minutesAgo: 20_160,
    firedMinutesAgo: 328,
    fired_24h: 2,
  },
];

export function buildShowcaseAutomations(now: Date): Automation[] {
  return AUTOMATIONS.map(({ by, minutesAgo, firedMinutesAgo, ...fact }, index) => {
    const created_at = minutesBefore(now, minutesAgo);
    return {
      ...fact,
      id: toStoryId("automation", index + 1),
      parameters: {},
      last_fired_at: firedMinutesAgo === null ? null : minutesBefore(now, firedMinutesAgo),
      created_by: by,
      created_at,
      updated_at: created_at,
    };
  });
}
