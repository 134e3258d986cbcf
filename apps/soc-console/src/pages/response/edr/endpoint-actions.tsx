import { fill, isolated, usePhrases } from "../../../app/language/language-context.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Badge, type Tone } from "../../../design/chip.tsx";
import { type DotShape, StatusDot } from "../../../design/severity.tsx";
import { CaseLink } from "../../casework/cases/case-link.tsx";
import type { EdrAction } from "./edr-client.ts";
import { edrPhrases } from "./edr-phrases.ts";

const DOTS: Readonly<Record<EdrAction["status"], [DotShape, Tone]>> = {
  completed: ["check", "ok"],
  dispatched: ["half", "waiting"],
  recorded: ["ring", "waiting"],
  blocked: ["cross", "failed"],
};

/** The actions on a host: requester, reason, result and expiry. */
export function ActionLines({ actions }: { actions: readonly EdrAction[] }) {
  const listed = new Map(actions.map((action) => [action.action_id, action]));
  return (
    <ol className="edr-actions">
      {[...listed.values()].map((action) => (
        <ActionLine key={action.action_id} action={action} />
      ))}
    </ol>
  );
}

function ActionLine({ action }: { action: EdrAction }) {
  const words = usePhrases(edrPhrases);
  const time = useTime();
  const [shape, tone] = DOTS[action.status];
  const { reason, error, case_id, requested_by, requested_at, release_at, ended_at } = action;
  return (
    <li>
      <p className="edr-action-head">
        <strong>{words.verbs[action.action]}</strong>
        <span className="edr-state">
          <StatusDot shape={shape} tone={tone} />
          {words.statuses[action.status]}
        </span>
        {action.simulated && <Badge tone="waiting">{words.simulated}</Badge>}
        <span className="edr-action-by soft" title={time.dateTime(requested_at)}>
          {fill(words.askedBy, { name: isolated(requested_by), time: time.relative(requested_at) })}
        </span>
      </p>
      {reason !== null && (
        <p>
          <SafeText>{reason}</SafeText>
        </p>
      )}
      {error !== null && (
        <p className="edr-error">
          <SafeText>{error}</SafeText>
        </p>
      )}
      <p className="soft edr-action-foot">
        {case_id !== null && <CaseLink record={{ id: case_id }} />}
        {ended_at !== null && <span>{fill(words.ended, { time: time.relative(ended_at) })}</span>}
        {ended_at === null && release_at !== null && (
          <span>{fill(words.releaseAt, { time: isolated(time.dateTime(release_at)) })}</span>
        )}
      </p>
    </li>
  );
}
