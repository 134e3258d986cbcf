import { Link } from "../../../../app/address/link.tsx";
import { useChanges } from "../../../../app/changes/use-changes.tsx";
import { useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { RuleTimeTotals } from "../../../../app/rule-time/rule-time-bar.tsx";
import { Markdown } from "../../../../app/text/markdown.tsx";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../../app/time/time-context.tsx";
import { Button } from "../../../../design/button.tsx";
import { Badge } from "../../../../design/chip.tsx";
import { Facts } from "../../../../design/panel.tsx";
import { SeveritySign } from "../../../../design/severity.tsx";
import { RuleLink } from "../rule-link.tsx";
import { type RuleRow, toEtag, useRulesClient } from "../rules-client.ts";
import { rulesPhrases } from "../rules-phrases.ts";
import { RuleState } from "./rule-row.tsx";
import { falseShare } from "./rules-filter.ts";

/** A rule in the pane, rendered from its row without a request. */
export function RulePane({ rule, onChanged }: { rule: RuleRow; onChanged: () => void }) {
  const words = usePhrases(rulesPhrases);
  const { mayWrite, reason, send } = useChanges();
  const client = useRulesClient();
  const flip = async () => {
    const changed = await send(() => client.update(rule.id, { enabled: !rule.enabled }, toEtag(rule)), {
      before: rule,
    });
    if (changed) onChanged();
  };
  return (
    <>
      <p className="rules-line">
        <Badge tone={rule.alert_severity}>
          <SeveritySign severity={rule.alert_severity} label="" />
          {words.severities[rule.alert_severity]}
        </Badge>
        <span className="rules-line">
          <RuleState isEnabled={rule.enabled} label="" />
          {rule.enabled ? words.enabled : words.disabled}
        </span>
      </p>
      <h2 className="rules-pane-title">
        <RuleLink rule={rule} />
      </h2>
      {mayWrite && (
        <p className="rules-line">
          <Button size="s" disabled={reason !== undefined} title={reason} onClick={() => void flip()}>
            {rule.enabled ? words.disable : words.enable}
          </Button>
          <Link to={`/detections/${rule.id}/edit`} className="button button-plain button-small">
            {words.edit}
          </Link>
        </p>
      )}
      {rule.query !== "" && (
        <pre className="rules-query" dir="ltr">
          <SafeText isMono>{rule.query}</SafeText>
        </pre>
      )}
      {rule.health && <RuleTimeTotals rules={[rule.health]} />}
      <RuleFacts rule={rule} />
      {rule.description !== "" && <Markdown text={rule.description} />}
    </>
  );
}

function RuleFacts({ rule }: { rule: RuleRow }) {
  const words = usePhrases(rulesPhrases);
  const { number, percent, count } = useNumbers();
  const time = useTime();
  const { health } = rule;
  const share = health && falseShare(health);
  return (
    <Facts
      items={[
        { label: words.type, value: words.types[rule.type] },
        {
          label: words.matchesDay,
          value: health && <Link to={`/detections/${rule.id}/matches`}>{number(health.matches_24h)}</Link>,
        },
        {
          label: words.falsePositives,
          value: share !== undefined && <Link to={`/detections/${rule.id}/feedback`}>{percent(share)}</Link>,
        },
        {
          label: words.schedule,
          value: rule.schedule_enabled ? count(rule.schedule_interval_minutes, words.everyMinutes) : words.asLogsArrive,
        },
        {
          label: words.lastRun,
          value: rule.last_run_at && (
            <Link to={`/detections/${rule.id}/runs`} className="mono">
              {time.dateTime(rule.last_run_at)}
            </Link>
          ),
        },
        {
          label: words.lastError,
          value: health?.last_error && (
            <span className="rules-red">
              <SafeText>{health.last_error}</SafeText>
            </span>
          ),
        },
        {
          label: words.technique,
          value: rule.mitre_techniques.map((technique) => (
            <Link key={technique} to="/detections" search={{ technique }} className="rules-tag">
              <SafeText isMono>{technique}</SafeText>
            </Link>
          )),
        },
        {
          label: words.tags,
          value: rule.tags.map((tag) => (
            <Link key={tag} to="/detections" search={{ tag }} className="rules-tag">
              <SafeText>{tag}</SafeText>
            </Link>
          )),
        },
        {
          label: words.version,
          value: <Link to={`/detections/${rule.id}/versions`}>{number(rule.version)}</Link>,
        },
      ]}
    />
  );
}
