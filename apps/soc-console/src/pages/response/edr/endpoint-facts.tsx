import { usePhrases } from "../../../app/language/language-context.tsx";
import { defang } from "../../../app/text/defang.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { type Fact, Facts } from "../../../design/panel.tsx";
import { EntityLink } from "../../reporting/entities/entity-link.tsx";
import type { Endpoint } from "./edr-client.ts";
import { edrPhrases } from "./edr-phrases.ts";

/** Facts that the agent reported about its host. Unknown ones are omitted. */
export function EndpointFacts({ endpoint }: { endpoint: Endpoint }) {
  const words = usePhrases(edrPhrases);
  const time = useTime();
  const { ip, os, site, agent_version, last_seen } = endpoint;
  const facts: (Fact | false)[] = [
    ip !== null && {
      label: words.address,
      value: (
        <EntityLink kind="ip" value={ip}>
          <SafeText isMono>{defang(ip)}</SafeText>
        </EntityLink>
      ),
    },
    os !== null && { label: words.columns.os, value: <SafeText>{os}</SafeText> },
    site !== null && { label: words.columns.site, value: <SafeText>{site}</SafeText> },
    agent_version !== null && { label: words.columns.agent, value: <SafeText isMono>{agent_version}</SafeText> },
    {
      label: words.columns.seen,
      value: (
        <time dateTime={last_seen} title={time.dateTime(last_seen)}>
          {time.relative(last_seen)}
        </time>
      ),
    },
  ];
  return <Facts items={facts.filter((fact) => fact !== false)} />;
}
