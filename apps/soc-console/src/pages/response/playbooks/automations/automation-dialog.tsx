import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { after } from "../../../../app/browser/clock.ts";
import { useChanges } from "../../../../app/changes/use-changes.tsx";
import { useApp } from "../../../../app/context/app-context.ts";
import { fill, isolated, usePhrases } from "../../../../app/language/language-context.tsx";
import { useMode } from "../../../../app/mode/use-mode.ts";
import { useNotices } from "../../../../app/notices/notices.tsx";
import { listEnabled, playbookKeys } from "../../../../app/playbooks/playbooks-client.ts";
import { QueryEditor } from "../../../../app/query-editor/query-editor.tsx";
import { safeText } from "../../../../app/text/safe-text.ts";
import { Button } from "../../../../design/button.tsx";
import { Dialog } from "../../../../design/dialog.tsx";
import { Checkbox, SelectField, TextField } from "../../../../design/field.tsx";
import { AutomationPreview } from "./automation-preview.tsx";
import { type Automation, useAutomationsClient } from "./automations-client.ts";
import { automationsPhrases } from "./automations-phrases.ts";
import { CONDITION_FIELDS, checkCondition } from "./condition-check.ts";

export interface AutomationDialogProps {
  /** Undefined for a new one. */
  automation: Automation | undefined;
  /** The playbook of a new automation. */
  playbookId: string | undefined;
  onClose: () => void;
  onSaved: () => void;
}

interface Draft {
  name: string;
  condition: string;
  playbook_id: string;
  cooldown_minutes: number;
  enabled: boolean;
}

const PAUSE_MS = 400;
const MAX_COOLDOWN_MINUTES = 10_080;

function isComplete({ name, condition, playbook_id }: Draft): boolean {
  const isWritten = [name, condition, playbook_id].every((text) => text.trim() !== "");
  return isWritten && checkCondition(condition).length === 0;
}

/** Edits an automation, with a preview of what it would have started. */
export function AutomationDialog({ automation, playbookId, onClose, onSaved }: AutomationDialogProps) {
  const words = usePhrases(automationsPhrases);
  const mode = useMode();
  const client = useAutomationsClient();
  const { notify } = useNotices();
  const { send } = useChanges();
  const [isBusy, setIsBusy] = useState(false);
  const [draft, setDraft] = useState<Draft>(() => ({
    name: automation?.name ?? "",
    condition: automation?.condition ?? "",
    playbook_id: automation?.playbook_id ?? playbookId ?? "",
    cooldown_minutes: automation?.cooldown_minutes ?? 10,
    enabled: automation?.enabled ?? true,
  }));
  const save = async () => {
    setIsBusy(true);
    const saved = await send(() => (automation ? client.update(automation.id, draft) : client.create(draft)), {
      before: automation,
    });
    setIsBusy(false);
    if (!saved) return;
    notify({ tone: "ok", text: fill(words.saved, { name: isolated(safeText(saved.name)) }) });
    onSaved();
    onClose();
  };
  return (
    <Dialog
      title={automation ? `${words.edit}: ${safeText(automation.name)}` : words.create}
      onClose={onClose}
      width="l"
      actions={
        <Button kind="primary" isBusy={isBusy} disabled={!isComplete(draft)} onClick={() => void save()}>
          {mode === "dry_run" ? words.previewSave : words.save}
        </Button>
      }
    >
      <div className="automations-form">
        <DraftFields
          draft={draft}
          onChange={(change) => setDraft({ ...draft, ...change })}
          isBound={playbookId !== undefined}
        />
        <Settled draft={draft} />
      </div>
    </Dialog>
  );
}

interface DraftFieldsProps {
  draft: Draft;
  onChange: (change: Partial<Draft>) => void;
  /** The dialog belongs to one playbook. */
  isBound: boolean;
}

function DraftFields({ draft, onChange, isBound }: DraftFieldsProps) {
  const words = usePhrases(automationsPhrases);
  const { server } = useApp();
  const { data } = useQuery({
    queryKey: playbookKeys.list("enabled"),
    queryFn: ({ signal }) => listEnabled(server, signal),
  });
  return (
    <>
      <TextField
        label={words.name}
        maxLength={100}
        value={draft.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <div className="field">
        <span className="field-label">{words.condition}</span>
        <QueryEditor
          label={words.condition}
          value={draft.condition}
          placeholder={words.conditionHint}
          fields={CONDITION_FIELDS}
          check={checkCondition}
          onChange={(condition) => onChange({ condition })}
          onRun={(condition) => onChange({ condition })}
        />
      </div>
      {!isBound && (
        <SelectField
          label={words.playbook}
          value={draft.playbook_id}
          onChange={(playbook_id) => onChange({ playbook_id })}
          options={[
            { value: "", label: words.choosePlaybook },
            ...(data?.items ?? []).map(({ id, name }) => ({ value: id, label: safeText(name) })),
          ]}
        />
      )}
      <TextField
        label={words.cooldown}
        hint={words.cooldownHint}
        type="number"
        min={0}
        max={MAX_COOLDOWN_MINUTES}
        value={draft.cooldown_minutes}
        onChange={(event) => onChange({ cooldown_minutes: Math.max(0, Math.trunc(Number(event.currentTarget.value))) })}
      />
      <Checkbox label={words.enabled} checked={draft.enabled} onChange={(enabled) => onChange({ enabled })} />
    </>
  );
}

/** The preview, updated when the user pauses typing. */
function Settled({ draft }: { draft: Draft }) {
  const { condition, playbook_id, cooldown_minutes } = draft;
  const written = JSON.stringify({ condition, playbook_id, cooldown_minutes });
  const [settled, setSettled] = useState<string>();
  useEffect(() => after(PAUSE_MS, () => setSettled(written)), [written]);
  const isReady = condition.trim() !== "" && playbook_id !== "" && checkCondition(condition).length === 0;
  if (!isReady || settled !== written) return null;
  return <AutomationPreview condition={condition} playbook_id={playbook_id} cooldown_minutes={cooldown_minutes} />;
}
