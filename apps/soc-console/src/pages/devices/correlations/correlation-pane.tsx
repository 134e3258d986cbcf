import type { ReactNode } from "react";
import { Link } from "../../../app/address/link.tsx";
import { CommandButton } from "../../../app/keys/command-button.tsx";
import type { Command } from "../../../app/keys/commands.ts";
import { fill, isolated, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { defang } from "../../../app/text/defang.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Badge } from "../../../design/chip.tsx";
import { SeveritySign } from "../../../design/severity.tsx";
import { CaseLink } from "../../casework/cases/case-link.tsx";
import { type EntityKind, EntityLink } from "../../reporting/entities/entity-link.tsx";
import type { Correlation, Entity, Member } from "./correlations-client.ts";
import { correlationsPhrases } from "./correlations-phrases.ts";

const PAGES: Readonly<Partial<Record<Entity["kind"], EntityKind>>> = {
  host: "host",
  user: "user",
  address: "ip",
  hash: "hash",
};

/** A shared value, with a link to its page. */
function EntityValue({ entity }: { entity: Entity }): ReactNode {
  const { kind, value } = entity;
  const shown = <SafeText isMono>{kind === "address" || kind === "ioc" ? defang(value) : value}</SafeText>;
  if (kind === "device") return <Link to={`/devices/${encodeURIComponent(value)}`}>{shown}</Link>;
  const page = PAGES[kind];
  return page ? (
    <EntityLink kind={page} value={value}>
      {shown}
    </EntityLink>
  ) : (
    shown
  );
}

function MemberLine({ member }: { member: Member }) {
  const words = usePhrases(correlationsPhrases);
  const time = useTime();
  const name = words.kinds[member.kind];
  return (
    <li>
      <SeveritySign severity={member.severity} label={words.severities[member.severity]} />
      <span className="correlations-member">
        <span>
          {member.kind === "alert" ? <Link to={`/alerts/${member.id}`}>{name}</Link> : name}{" "}
          <span className="soft mono">{time.dateTime(member.at)}</span>
        </span>
        <span className="soft">{member.reason === null ? words.first : <SafeText>{member.reason}</SafeText>}</span>
      </span>
    </li>
  );
}

export interface CorrelationPaneProps {
  correlation: Correlation;
  commands: readonly Command[];
}

/** A correlation in words: the reason, the shared values, and each record with its reason. */
export function CorrelationPane({ correlation, commands }: CorrelationPaneProps) {
  const words = usePhrases(correlationsPhrases);
  const { count, number } = useNumbers();
  const time = useTime();
  const { severity, reason, score, first_at, last_at, case_id, entities, members, member_count, log_ids } = correlation;
  return (
    <div className="correlations-pane">
      <p>
        <Badge tone={severity}>
          <SeveritySign severity={severity} label="" />
          {words.severities[severity]}
        </Badge>
      </p>
      <h2 className="correlations-reason">
        <SafeText>{reason}</SafeText>
      </h2>
      <p className="soft">
        {fill(words.strength, { score: number(Math.round(score * 100)) })}{" "}
        {fill(words.span, { from: isolated(time.dateTime(first_at)), to: isolated(time.dateTime(last_at)) })}{" "}
        {log_ids.length > 0 && count(log_ids.length, words.logs)}
      </p>
      {case_id !== null && (
        <p>
          {words.hasCase} <CaseLink record={{ id: case_id }} />
        </p>
      )}
      {commands.map((command) => (
        <p key={command.id}>
          <CommandButton kind="primary" command={command} />
        </p>
      ))}
      <h3 className="correlations-part">{words.shared}</h3>
      <ul className="correlations-entities">
        {entities.map((entity) => (
          <li key={`${entity.kind} ${entity.value}`}>
            <span className="soft">{words.entities[entity.kind]}</span>
            <EntityValue entity={entity} />
            <span className="soft">{count(entity.records, words.members)}</span>
          </li>
        ))}
      </ul>
      <h3 className="correlations-part">{words.together}</h3>
      <ol className="correlations-members">
        {members.map((member) => (
          <MemberLine key={`${member.kind} ${member.id}`} member={member} />
        ))}
      </ol>
      {member_count > members.length && <p className="soft">{words.newestOnly}</p>}
    </div>
  );
}
