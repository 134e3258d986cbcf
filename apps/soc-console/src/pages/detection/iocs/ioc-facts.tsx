import { Link } from "../../../app/address/link.tsx";
import { useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Badge } from "../../../design/chip.tsx";
import { Facts } from "../../../design/panel.tsx";
import type { Ioc } from "./iocs-client.ts";
import { iocsPhrases } from "./iocs-phrases.ts";

export interface IocFactsProps {
  ioc: Ioc;
  /** The number of hits links to the page of the indicator. */
  isLinked?: boolean;
}

/** The facts of an indicator. */
export function IocFacts({ ioc, isLinked = false }: IocFactsProps) {
  const words = usePhrases(iocsPhrases);
  const numbers = useNumbers();
  const time = useTime();
  const at = (instant: string) => (
    <time dateTime={instant} title={time.relative(instant)}>
      {time.dateTime(instant)}
    </time>
  );
  const hits = numbers.number(ioc.hits);
  return (
    <Facts
      items={[
        { label: words.severity, value: <Badge tone={ioc.severity}>{words.severities[ioc.severity]}</Badge> },
        { label: words.tlp, value: <span className="list-mono">{words.tlps[ioc.tlp]}</span> },
        { label: words.confidence, value: numbers.percent(ioc.confidence / 100) },
        { label: words.hits, value: isLinked ? <Link to={`/indicators/${ioc.id}`}>{hits}</Link> : hits },
        { label: words.firstSeen, value: at(ioc.first_seen) },
        { label: words.lastSeen, value: at(ioc.last_seen) },
        { label: words.ends, value: ioc.expires_at === null ? words.noEnd : at(ioc.expires_at) },
        { label: words.source, value: <SafeText>{ioc.source}</SafeText> },
        { label: words.tags, value: <Tags tags={ioc.tags} /> },
      ]}
    />
  );
}

function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <span className="iocs-tags">
      {tags.map((tag) => (
        <Link key={tag} to="/indicators" search={{ tag }}>
          <SafeText>{tag}</SafeText>
        </Link>
      ))}
    </span>
  );
}
