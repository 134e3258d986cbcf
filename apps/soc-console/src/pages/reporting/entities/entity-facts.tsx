import { fill, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Badge } from "../../../design/chip.tsx";
import { type Fact, Facts, Panel } from "../../../design/panel.tsx";
import type { EntityPageData } from "./entities-client.ts";
import { entitiesPhrases } from "./entities-phrases.ts";

type Risk = EntityPageData["risk"];

/** The known facts. Unknown ones are omitted. */
export function EntityFacts({ data }: { data: EntityPageData }) {
  const words = usePhrases(entitiesPhrases);
  const { dateTime } = useTime();
  const { aliases, first_seen, last_seen, endpoint, device, iocs } = data;
  const facts: (Fact | false)[] = [
    { label: words.value, value: <SafeText isMono>{data.entity.value}</SafeText> },
    aliases.length > 1 && { label: words.aliases, value: <SafeText isMono>{aliases.join(", ")}</SafeText> },
    first_seen !== null && { label: words.firstSeen, value: dateTime(first_seen) },
    last_seen !== null && { label: words.lastSeen, value: dateTime(last_seen) },
    endpoint !== null && {
      label: words.endpoint,
      value: <SafeText>{`${endpoint.hostname} · ${endpoint.status}`}</SafeText>,
    },
    device !== null && { label: words.device, value: <SafeText>{device.name}</SafeText> },
    iocs !== null &&
      iocs.length > 0 && {
        label: words.indicators,
        value: (
          <ul className="entities-list">
            {iocs.map((ioc) => (
              <li key={ioc.id}>
                <Badge tone={ioc.severity}>{words.levels[ioc.severity]}</Badge> <SafeText>{ioc.source}</SafeText>
              </li>
            ))}
          </ul>
        ),
      },
  ];
  return (
    <Panel title={words.facts}>
      <Facts items={facts.filter((fact) => fact !== false)} />
    </Panel>
  );
}

const TONES = { none: "plain", low: "low", medium: "medium", high: "high", critical: "critical" } as const;

/** The score with all contributing reasons, by name. */
export function EntityRisk({ risk }: { risk: Risk }) {
  const words = usePhrases(entitiesPhrases);
  const { number } = useNumbers();
  const { relative } = useTime();
  return (
    <Panel title={words.risk} aside={<Badge tone={TONES[risk.level]}>{words.levels[risk.level]}</Badge>}>
      <p className="number">{number(risk.score)}</p>
      {risk.reasons.length === 0 ? (
        <p className="entities-soft">{words.noRisk}</p>
      ) : (
        <ul className="entities-reasons">
          {risk.reasons.map(({ name, points, decayed, at }) => (
            <li key={`${name} ${at}`}>
              <SafeText>{name}</SafeText>
              <span className="entities-soft">{relative(at)}</span>
              <strong title={fill(words.decayed, { points, decayed })}>+{number(decayed)}</strong>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
