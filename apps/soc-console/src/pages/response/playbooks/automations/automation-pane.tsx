import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "../../../../app/address/link.tsx";
import { useChanges } from "../../../../app/changes/use-changes.tsx";
import { useCommands } from "../../../../app/keys/commands-context.tsx";
import { useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { useNotices } from "../../../../app/notices/notices.tsx";
import { FailedPart } from "../../../../app/page/page.tsx";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../../app/time/time-context.tsx";
import { Button } from "../../../../design/button.tsx";
import { Dialog } from "../../../../design/dialog.tsx";
import { Facts } from "../../../../design/panel.tsx";
import { Skeleton } from "../../../../design/states.tsx";
import { type Automation, automationKeys, type Firing, useAutomationsClient } from "./automations-client.ts";
import { automationsPhrases } from "./automations-phrases.ts";

const SHORT_ID = 8;

export interface AutomationPaneProps {
  automation: Automation;
  onEdit: () => void;
  onChanged: () => void;
}

/** An automation in the pane: definition, actions and results. */
export function AutomationPane({ automation, onEdit, onChanged }: AutomationPaneProps) {
  const words = usePhrases(automationsPhrases);
  const numbers = useNumbers();
  const { cooldown_minutes: minutes, playbook_id } = automation;
  return (
    <div className="automations-pane">
      <h2>
        <SafeText>{automation.name}</SafeText>
      </h2>
      <Tools automation={automation} onEdit={onEdit} onChanged={onChanged} />
      <Facts
        items={[
          { label: words.condition, value: <SafeText isMono>{automation.condition}</SafeText> },
          {
            label: words.playbook,
            value: (
              <Link to={`/playbooks/${playbook_id}`}>
                <bdi dir="ltr">{playbook_id}</bdi>
              </Link>
            ),
          },
          {
            label: words.pause,
            value: minutes === 0 ? words.noCooldown : numbers.count(minutes, words.cooldownMinutes),
          },
          { label: words.by, value: <SafeText>{automation.created_by}</SafeText> },
        ]}
      />
      <Firings id={automation.id} />
    </div>
  );
}

function Tools({ automation, onEdit, onChanged }: AutomationPaneProps) {
  const words = usePhrases(automationsPhrases);
  const client = useAutomationsClient();
  const { notify } = useNotices();
  const { mayWrite, reason, send } = useChanges();
  const [isRemoving, setIsRemoving] = useState(false);
  const { id, enabled } = automation;
  const toggle = async () => {
    if (await send(() => client.update(id, { enabled: !enabled }), { before: automation })) onChanged();
  };
  const remove = async () => {
    setIsRemoving(false);
    // A deleted automation has no results.
    const ask = async () => (await client.remove(id)) ?? automation;
    const done = await send(ask, { before: automation });
    if (!done) return;
    notify({ tone: "ok", text: words.removed });
    onChanged();
  };
  const command = (name: string, label: string, key: string, run: () => void) => ({
    id: `automations.${name}`,
    label,
    group: words.automations,
    keys: [key],
    isEnabled: reason === undefined,
    reason,
    run,
  });
  useCommands(
    mayWrite
      ? [
          command("edit", words.edit, "e", onEdit),
          command("toggle", enabled ? words.disable : words.enable, "⇧E", () => void toggle()),
        ]
      : [],
  );
  if (!mayWrite) return null;
  const disabled = { disabled: reason !== undefined, title: reason };
  return (
    <div className="automations-bar">
      <Button size="s" keys={["E"]} {...disabled} onClick={onEdit}>
        {words.edit}
      </Button>
      <Button size="s" keys={["⇧", "E"]} {...disabled} onClick={() => void toggle()}>
        {enabled ? words.disable : words.enable}
      </Button>
      <Button size="s" kind="danger" {...disabled} onClick={() => setIsRemoving(true)}>
        {words.remove}
      </Button>
      <Dialog
        title={words.removeTitle}
        isOpen={isRemoving}
        onClose={() => setIsRemoving(false)}
        actions={
          <>
            <Button onClick={() => setIsRemoving(false)}>{words.keep}</Button>
            <Button kind="danger" onClick={() => void remove()}>
              {words.remove}
            </Button>
          </>
        }
      >
        <p>{words.removeText}</p>
      </Dialog>
    </div>
  );
}

function Firings({ id }: { id: string }) {
  const words = usePhrases(automationsPhrases);
  const client = useAutomationsClient();
  const { data, error, refetch } = useQuery({
    queryKey: automationKeys.firings(id),
    queryFn: ({ signal }) => client.firings(id, signal),
  });
  if (error && !data) return <FailedPart error={error} onRetry={() => void refetch()} />;
  return (
    <section aria-label={words.firings}>
      <h3 className="automations-heading">{words.firings}</h3>
      {!data && <Skeleton rows={3} />}
      {data?.items.length === 0 && <p className="soft">{words.noFirings}</p>}
      <ul className="automations-firings">
        {data?.items.map((firing) => (
          <FiringLine key={`${firing.alert_id} ${firing.at}`} firing={firing} />
        ))}
      </ul>
    </section>
  );
}

function FiringLine({ firing }: { firing: Firing }) {
  const words = usePhrases(automationsPhrases);
  const time = useTime();
  const { alert_id, at, outcome, execution_id, approval_id, reason } = firing;
  return (
    <li>
      <span className="mono soft">{time.dateTime(at)}</span>{" "}
      <Link to={`/alerts/${alert_id}`}>
        {words.alert} {alert_id.slice(-SHORT_ID)}
      </Link>{" "}
      {words.outcomes[outcome]} {execution_id !== null && <Link to={`/runs/${execution_id}`}>{words.run}</Link>}{" "}
      {approval_id !== null && <Link to={`/approvals/${approval_id}`}>{words.approval}</Link>}
      {reason !== null && (
        <p className="soft">
          <SafeText>{reason}</SafeText>
        </p>
      )}
    </li>
  );
}
