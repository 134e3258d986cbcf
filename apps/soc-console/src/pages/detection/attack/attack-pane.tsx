import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { Link } from "../../../app/address/link.tsx";
import { useAddress } from "../../../app/address/use-address.ts";
import { useApp, useMay } from "../../../app/context/app-context.ts";
import { useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { FailedPart } from "../../../app/page/page.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { IconButton } from "../../../design/button.tsx";
import { Badge, type Tone } from "../../../design/chip.tsx";
import { Facts } from "../../../design/panel.tsx";
import { Skeleton } from "../../../design/states.tsx";
import { useCellWords } from "./attack-cell.tsx";
import {
  COVERAGE_KEY,
  type Coverage,
  type CoverageFilter,
  type CoveredSource,
  readTechniqueRules,
  type Technique,
  type TechniqueState,
} from "./attack-client.ts";
import { findShownState } from "./attack-matrix.ts";
import { attackPhrases } from "./attack-phrases.ts";

export interface AttackPaneProps {
  technique: Technique;
  coverage: Coverage;
  filter: CoverageFilter;
  only: CoveredSource | undefined;
  onClose: () => void;
}

const TONES: Readonly<Record<TechniqueState, Tone>> = {
  none: "plain",
  waiting: "running",
  silent: "waiting",
  ran: "ok",
};

/** A technique: the activity of its rules, with links to rules, alerts and logs. */
export function AttackPane({ technique, coverage, filter, only, onClose }: AttackPaneProps) {
  const words = usePhrases(attackPhrases);
  const numbers = useNumbers();
  const mayAlerts = useMay("alerts:read");
  const { id, name, rule_count, ran_count, alerts_30d } = technique;
  const state = findShownState(technique, only);
  const tactics = coverage.tactics.filter(({ shortname }) => technique.tactics.includes(shortname));
  const names = [...new Set(tactics.map((tactic) => tactic.name))];
  return (
    <div className="attack-pane">
      <header className="attack-pane-head">
        <bdi className="attack-id" dir="ltr">
          {id}
        </bdi>
        <Badge tone={TONES[state]}>{words.states[state]}</Badge>
        <IconButton label={words.close} keys={["Esc"]} icon={<X />} size="s" onClick={onClose} />
      </header>
      <h2 className="title">
        <SafeText>{name}</SafeText>
      </h2>
      <p className="soft">{words.legends[state]}</p>
      <Facts
        items={[
          { label: words.tactics, value: <SafeText>{names.join(", ")}</SafeText> },
          {
            label: words.rulesLabel,
            value: (
              <Link to="/detections" search={{ technique: id, tag: filter.tag, source: filter.source }}>
                {numbers.count(rule_count, words.rules)}
              </Link>
            ),
          },
          { label: words.ranLabel, value: numbers.number(ran_count) },
          {
            label: words.alertsLabel,
            value: mayAlerts ? (
              <Link to="/alerts" search={{ q: `technique:${id}`, from: "-30d" }}>
                {numbers.count(alerts_30d, words.alertsIn30Days)}
              </Link>
            ) : (
              numbers.count(alerts_30d, words.alertsIn30Days)
            ),
          },
        ]}
      />
      {rule_count > 0 ? <Rules id={id} filter={filter} /> : <NoRules />}
      <SubTechniques of={technique} coverage={coverage} only={only} />
    </div>
  );
}

function NoRules() {
  const words = usePhrases(attackPhrases);
  const mayWrite = useMay("detections:write");
  return (
    <p className="soft">
      {words.noRulesText}{" "}
      {mayWrite && (
        <>
          <Link to="/detections/import">{words.importSigma}</Link> · <Link to="/detections/new">{words.newRule}</Link>
        </>
      )}
    </p>
  );
}

function Rules({ id, filter }: { id: string; filter: CoverageFilter }) {
  const words = usePhrases(attackPhrases);
  const { server } = useApp();
  const mayHunt = useMay("siem:read");
  const { data, error, refetch } = useQuery({
    queryKey: [...COVERAGE_KEY, "rules", id, filter],
    queryFn: ({ signal }) => readTechniqueRules(server, id, filter, signal),
  });
  if (error) return <FailedPart error={error} onRetry={() => void refetch()} />;
  return (
    <section aria-label={words.rulesLabel}>
      <h3>{words.rulesLabel}</h3>
      {data ? (
        <ul className="attack-list">
          {data.items.map((rule) => (
            <li key={rule.id}>
              <Link to={`/detections/${rule.id}`}>
                <SafeText>{rule.name}</SafeText>
              </Link>
              {rule.source && <SafeText isMono>{rule.source}</SafeText>}
              {mayHunt && rule.query !== "" && (
                <Link to="/hunt" search={{ q: rule.query }}>
                  {words.hunt}
                </Link>
              )}
            </li>
          ))}
        </ul>
      ) : (
        <Skeleton rows={3} />
      )}
    </section>
  );
}

interface SubTechniquesProps {
  of: Technique;
  coverage: Coverage;
  only: CoveredSource | undefined;
}

function SubTechniques({ of, coverage, only }: SubTechniquesProps) {
  const words = usePhrases(attackPhrases);
  const { change } = useAddress();
  const describe = useCellWords();
  const subs = coverage.techniques.filter(({ id }) => id.startsWith(`${of.id}.`));
  if (subs.length === 0) return null;
  return (
    <section aria-label={words.subs}>
      <h3>{words.subs}</h3>
      <ul className="attack-list">
        {subs
          .toSorted((a, b) => (a.id < b.id ? -1 : 1))
          .map((sub) => (
            <li key={sub.id}>
              <button type="button" className="attack-to-sub" onClick={() => change({ pane: sub.id })}>
                <bdi className="attack-id" dir="ltr">
                  {sub.id}
                </bdi>{" "}
                <SafeText>{sub.name}</SafeText>
              </button>
              <span className="soft">{describe(sub, findShownState(sub, only))}</span>
            </li>
          ))}
      </ul>
    </section>
  );
}
