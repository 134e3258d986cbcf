import { Link } from "../../../app/address/link.tsx";
import { useAddress } from "../../../app/address/use-address.ts";
import { useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import type { Playbook, PlaybookAction } from "../../../app/playbooks/playbooks-client.ts";
import { buildStepLines, listLeaving } from "../../../app/playbooks/step-lines.ts";
import { Leaving, StepRail } from "../../../app/playbooks/step-rail.tsx";
import { useActions } from "../../../app/playbooks/use-actions.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { Cell } from "../../../design/list/list-row.tsx";
import { StatusDot } from "../../../design/severity.tsx";
import { playbooksPhrases } from "./playbooks-phrases.ts";

type Actions = ReadonlyMap<string, PlaybookAction>;

/** What a run requires: nothing, an approval, a four-eyes approval, several votes. */
export function useGateWords({ critical, approval }: Pick<Playbook, "critical" | "approval">): string {
  const words = usePhrases(playbooksPhrases);
  const numbers = useNumbers();
  const quorum = approval?.quorum ?? 1;
  const parts = [
    critical && words.critical,
    approval?.four_eyes && words.fourEyes,
    quorum > 1 && numbers.count(quorum, words.votes),
  ];
  return parts.filter(Boolean).join(" · ") || words.noGate;
}

export function EnabledSign({ isEnabled }: { isEnabled: boolean }) {
  const words = usePhrases(playbooksPhrases);
  return (
    <span className={isEnabled ? "run-sign" : "run-sign soft"}>
      <StatusDot shape={isEnabled ? "full" : "ring"} tone={isEnabled ? "ok" : "plain"} />
      {isEnabled ? words.enabled : words.disabled}
    </span>
  );
}

interface CellsProps {
  playbook: Playbook;
  actions: Actions;
  updated: string;
}

/** The cells of a playbook: name, state, gate, steps, outside effects, version, author, time. */
export function PlaybookCells({ playbook, actions, updated }: CellsProps) {
  const gate = useGateWords(playbook);
  const leaving = listLeaving(playbook, actions);
  return (
    <>
      <Cell kind="strong">
        <span className="list-title">
          <SafeText>{playbook.name}</SafeText>
        </span>
      </Cell>
      <Cell>
        <EnabledSign isEnabled={playbook.enabled} />
      </Cell>
      <Cell kind={playbook.critical ? "plain" : "soft"}>{gate}</Cell>
      <Cell kind="mono" align="end">
        {playbook.steps.length}
      </Cell>
      <Cell kind="mono">
        {leaving.length > 0 && (
          <span className="list-title">
            <Leaving /> {leaving.join(", ")}
          </span>
        )}
      </Cell>
      <Cell kind="mono" align="end">
        {playbook.version}
      </Cell>
      <Cell kind="soft">
        <SafeText>{playbook.updated_by}</SafeText>
      </Cell>
      <Cell kind="mono">{updated}</Cell>
    </>
  );
}

/** A playbook in the pane, rendered from its row. */
export function PlaybookPane({ playbook }: { playbook: Playbook }) {
  const { go } = useAddress();
  const actions = useActions();
  const gate = useGateWords(playbook);
  return (
    <div className="playbooks-pane">
      <h2>
        <Link to={`/playbooks/${playbook.id}`}>
          <SafeText>{playbook.name}</SafeText>
        </Link>
      </h2>
      <p className="playbooks-line">
        <EnabledSign isEnabled={playbook.enabled} /> <span>{gate}</span>
      </p>
      {playbook.description !== "" && (
        <p className="soft">
          <SafeText>{playbook.description}</SafeText>
        </p>
      )}
      <StepRail
        lines={buildStepLines(playbook.steps, actions)}
        selected={undefined}
        onSelect={() => go(`/playbooks/${playbook.id}`)}
      />
    </div>
  );
}
