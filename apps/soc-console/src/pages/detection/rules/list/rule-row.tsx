import { RuleTimeBar } from "../../../../app/rule-time/rule-time-bar.tsx";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { SeveritySign, StatusDot } from "../../../../design/severity.tsx";
import type { RuleRow } from "../rules-client.ts";

export interface RuleCellWords {
  state: string;
  severity: string;
  type: string;
  matches: string;
  falseShare: string;
}

/** The state icon, beside the word on or off. */
export function RuleState({ isEnabled, label }: { isEnabled: boolean; label: string }) {
  return (
    <span className="rules-state" title={label}>
      <StatusDot shape={isEnabled ? "full" : "ring"} tone={isEnabled ? "ok" : "plain"} />
      <span className="screen-reader-only">{label}</span>
    </span>
  );
}

/** The cells of a rule: state, severity, name, type, matches, false positives, time, techniques. */
export const RuleCells = (rule: RuleRow, words: RuleCellWords) => (
  <>
    <RuleState isEnabled={rule.enabled} label={words.state} />
    <SeveritySign severity={rule.alert_severity} label={words.severity} />
    <span className={rule.enabled ? "list-title list-strong" : "list-title list-soft"}>
      <SafeText>{rule.name}</SafeText>
    </span>
    <span className="soft">{words.type}</span>
    <span>{words.matches}</span>
    <span>{words.falseShare}</span>
    <span className="rules-time">{rule.health && <RuleTimeBar time={rule.health} />}</span>
    <span className="list-title">
      <SafeText isMono>{rule.mitre_techniques.join(" ")}</SafeText>
    </span>
  </>
);
