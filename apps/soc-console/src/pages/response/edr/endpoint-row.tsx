import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Cell } from "../../../design/list/list-row.tsx";
import { StatusDot } from "../../../design/severity.tsx";
import type { EdrAction, Endpoint } from "./edr-client.ts";
import { IsolationLine, RiskBadge } from "./endpoint-parts.tsx";
import { readIsolation } from "./isolation.ts";

export interface EndpointCellsProps {
  endpoint: Endpoint;
  actions: readonly EdrAction[];
}

/** The cells of an endpoint: host, desired and reported state, system, site, agent, last seen, risk. */
export function EndpointCells({ endpoint, actions }: EndpointCellsProps) {
  const time = useTime();
  const isOnline = endpoint.status === "online";
  return (
    <>
      <Cell kind="strong">
        <span className="list-title">
          <SafeText isMono>{endpoint.hostname}</SafeText>
        </span>
      </Cell>
      <Cell>
        <IsolationLine isolation={readIsolation(endpoint, actions)} />
      </Cell>
      <Cell kind="soft">
        <span className="list-title">{endpoint.os !== null && <SafeText>{endpoint.os}</SafeText>}</span>
      </Cell>
      <Cell kind="soft">
        <span className="list-title">{endpoint.site !== null && <SafeText>{endpoint.site}</SafeText>}</span>
      </Cell>
      <Cell kind="mono">{endpoint.agent_version !== null && <SafeText isMono>{endpoint.agent_version}</SafeText>}</Cell>
      <Cell kind="soft">
        <span className="edr-state" title={time.dateTime(endpoint.last_seen)}>
          <StatusDot shape={isOnline ? "full" : "ring"} tone={isOnline ? "ok" : "plain"} />
          {time.relative(endpoint.last_seen)}
        </span>
      </Cell>
      <Cell align="end">
        <RiskBadge risk={endpoint.risk} />
      </Cell>
    </>
  );
}
