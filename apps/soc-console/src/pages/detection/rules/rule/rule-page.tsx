import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ChevronLeft } from "lucide-react";
import { lazy, Suspense } from "react";
import { Link } from "../../../../app/address/link.tsx";
import { useAddress } from "../../../../app/address/use-address.ts";
import { ChangesProvider } from "../../../../app/changes/use-changes.tsx";
import { useLive } from "../../../../app/context/app-context.ts";
import { useCommands } from "../../../../app/keys/commands-context.tsx";
import { useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { FailedPart, Page } from "../../../../app/page/page.tsx";
import { RuleTimeBar } from "../../../../app/rule-time/rule-time-bar.tsx";
import { safeText } from "../../../../app/text/safe-text.ts";
import { Badge } from "../../../../design/chip.tsx";
import { SeveritySign } from "../../../../design/severity.tsx";
import { Skeleton } from "../../../../design/states.tsx";
import { TabLinks } from "../../../../design/tabs.tsx";
import { RuleState } from "../list/rule-row.tsx";
import { falseShare } from "../list/rules-filter.ts";
import { type Rule, ruleKeys, useRulesClient } from "../rules-client.ts";
import { rulesPhrases } from "../rules-phrases.ts";
import { MatchesTab } from "./matches-tab.tsx";
import { RULE_TABS, type RuleTab, rulePhrases } from "./rule-phrases.ts";
import { RuleTools } from "./rule-tools.tsx";
import "../rules.css";
import "./rule.css";

const RunsTab = lazy(async () => ({ default: (await import("./runs-tab.tsx")).RunsTab }));
const VersionsTab = lazy(async () => ({ default: (await import("./versions-tab.tsx")).VersionsTab }));
const FeedbackTab = lazy(async () => ({ default: (await import("./feedback-tab.tsx")).FeedbackTab }));
const ExceptionsList = lazy(async () => ({
  default: (await import("../exceptions/exceptions-list.tsx")).ExceptionsList,
}));
const SuppressionsList = lazy(async () => ({
  default: (await import("../suppressions/suppressions-list.tsx")).SuppressionsList,
}));

export function RulePage() {
  const { params } = useAddress();
  const id = params.id ?? "";
  return (
    <ChangesProvider needs="detections:write" key={id}>
      <OneRule id={id} />
    </ChangesProvider>
  );
}

function OneRule({ id }: { id: string }) {
  const words = { ...usePhrases(rulesPhrases), ...usePhrases(rulePhrases) };
  const { params, go } = useAddress();
  const client = useRulesClient();
  const queries = useQueryClient();
  const tab = RULE_TABS.find((name) => name === params.tab) ?? "matches";
  const { data, error, refetch } = useQuery({
    queryKey: ruleKeys.part(id, "rule"),
    queryFn: ({ signal }) => client.read(id, signal),
  });
  useLive({
    onEvents: (events) => {
      if (events.some(({ type, subject_id }) => type.startsWith("rule.") && subject_id === id)) void refetch();
    },
    onReset: () => void queries.invalidateQueries({ queryKey: ruleKeys.one(id) }),
  });
  useCommands([
    ...RULE_TABS.map((name, at) => ({
      id: `rule.tab.${name}`,
      label: words.tabs[name],
      group: words.group,
      keys: [String(at + 1)],
      run: () => go(`/detections/${id}/${name}`),
    })),
    { id: "rule.back", label: words.back, group: words.group, keys: ["u"], run: () => go("/detections") },
  ]);
  const back = (
    <Link to="/detections" className="rules-back" title={words.back}>
      <ChevronLeft aria-hidden="true" />
    </Link>
  );
  if (!data) {
    return (
      <Page title={words.detections} back={back}>
        {error ? <FailedPart error={error} onRetry={() => void refetch()} /> : <Skeleton rows={10} />}
      </Page>
    );
  }
  return (
    <Page title={safeText(data.name)} isFull back={back} tools={<RuleTools rule={data} />}>
      <RuleHead rule={data} />
      <TabLinks
        label={words.tabsLabel}
        items={RULE_TABS.map((name) => ({
          label: words.tabs[name],
          href: `/detections/${id}/${name}`,
          isCurrent: name === tab,
          onSelect: () => go(`/detections/${id}/${name}`),
        }))}
      />
      <Suspense fallback={<Skeleton rows={8} />}>
        <CurrentTab tab={tab} rule={data} />
      </Suspense>
    </Page>
  );
}

/** State, results of the last day, and how much of its time the rule ran. */
function RuleHead({ rule }: { rule: Rule }) {
  const words = usePhrases(rulesPhrases);
  const { number, percent, count } = useNumbers();
  const client = useRulesClient();
  const { data: health } = useQuery({
    queryKey: ruleKeys.part(rule.id, "health"),
    queryFn: ({ signal }) => client.readHealth(rule.id, {}, signal),
  });
  const share = health && falseShare(health);
  return (
    <p className="rules-line rule-head">
      <Badge tone={rule.alert_severity}>
        <SeveritySign severity={rule.alert_severity} label="" />
        {words.severities[rule.alert_severity]}
      </Badge>
      <span className="rules-line">
        <RuleState isEnabled={rule.enabled} label="" />
        {rule.enabled ? words.enabled : words.disabled}
      </span>
      <span>{words.types[rule.type]}</span>
      <span>
        {rule.schedule_enabled ? count(rule.schedule_interval_minutes, words.everyMinutes) : words.asLogsArrive}
      </span>
      {health && (
        <Link to={`/detections/${rule.id}/matches`}>
          {words.matchesDay}: {number(health.matches_24h)}
        </Link>
      )}
      {share !== undefined && (
        <Link to={`/detections/${rule.id}/feedback`}>
          {words.falsePositives}: {percent(share)}
        </Link>
      )}
      {health && (
        <Link to="/detections" search={{ tab: "health" }} className="rule-head-time">
          <RuleTimeBar time={health} />
        </Link>
      )}
      <Link to={`/detections/${rule.id}/versions`}>
        {words.version} {number(rule.version)}
      </Link>
    </p>
  );
}

function CurrentTab({ tab, rule }: { tab: RuleTab; rule: Rule }) {
  switch (tab) {
    case "matches":
      return <MatchesTab rule={rule} />;
    case "runs":
      return <RunsTab rule={rule} />;
    case "versions":
      return <VersionsTab rule={rule} />;
    case "exceptions":
      return <ExceptionsList ruleId={rule.id} />;
    case "suppressions":
      return <SuppressionsList ruleId={rule.id} />;
    case "feedback":
      return <FeedbackTab rule={rule} />;
    default:
      return tab satisfies never;
  }
}
