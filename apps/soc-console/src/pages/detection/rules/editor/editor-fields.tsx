import { useCallback } from "react";
import { useApp } from "../../../../app/context/app-context.ts";
import { usePhrases } from "../../../../app/language/language-context.tsx";
import { QueryEditor } from "../../../../app/query-editor/query-editor.tsx";
import type { CompletionContext } from "../../../../app/query-editor/query-editor-props.ts";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { Checkbox, SelectField, TextArea, TextField } from "../../../../design/field.tsx";
import { Panel } from "../../../../design/panel.tsx";
import { RULE_TYPES, SEVERITIES } from "../rules-client.ts";
import { rulesPhrases } from "../rules-phrases.ts";
import { TypeDetails } from "./details-fields.tsx";
import { editorPhrases } from "./editor-phrases.ts";
import type { AlertDraft, RuleDraft } from "./rule-draft.ts";

export interface EditorFieldsProps {
  draft: RuleDraft;
  onChange: (changes: Partial<RuleDraft>) => void;
  /** ⌘Enter in the query repeats the test. */
  onRun: () => void;
  /** The rule is imported: its own text is authoritative, and the query narrows it. */
  hasSigma: boolean;
  /** The title of an alert that the rule would have raised. */
  realTitle: string | undefined;
  isNameAsked: boolean;
}

/** Every field of a rule that people edit. */
export function EditorFields(props: EditorFieldsProps) {
  const words = usePhrases(editorPhrases);
  return (
    <>
      <Panel title={words.what}>
        <WhatFields {...props} />
      </Panel>
      <Panel title={words.alert}>
        <AlertFields {...props} />
      </Panel>
      <Panel title={words.when}>
        <ScheduleFields {...props} />
      </Panel>
      <Panel title={words.about}>
        <AboutFields {...props} />
      </Panel>
    </>
  );
}

/** Suggests values from the logs. */
function useValues() {
  const { server } = useApp();
  return useCallback(
    async ({ field, prefix }: CompletionContext) => {
      if (field === undefined) return [];
      const { values } = await server.get<{ values: { value: string; count: number }[] }>(
        `/siem/fields/${encodeURIComponent(field)}/values`,
        { query: { prefix }, priority: "prefetch" },
      );
      return values.map(({ value, count }) => ({ label: value, kind: "value" as const, detail: String(count) }));
    },
    [server],
  );
}

function WhatFields({ draft, onChange, onRun, hasSigma, isNameAsked }: EditorFieldsProps) {
  const words = { ...usePhrases(rulesPhrases), ...usePhrases(editorPhrases) };
  const complete = useValues();
  const label = hasSigma ? words.narrowing : words.query;
  return (
    <div className="rules-form">
      <TextField
        label={words.name}
        maxLength={200}
        value={draft.name}
        error={isNameAsked && draft.name.trim() === "" && words.nameMissing}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      {!hasSigma && (
        <fieldset className="rule-editor-types">
          <legend className="field-label">{words.type}</legend>
          {RULE_TYPES.map((type) => (
            <label key={type} className="rule-editor-type">
              <input type="radio" name="rule-type" checked={draft.type === type} onChange={() => onChange({ type })} />
              {words.types[type]}
            </label>
          ))}
        </fieldset>
      )}
      <div className="field">
        <span className="field-label">{label}</span>
        <QueryEditor
          label={label}
          placeholder={words.queryHint}
          value={draft.query}
          onChange={(query) => onChange({ query })}
          onRun={onRun}
          complete={complete}
        />
      </div>
      {!hasSigma && (
        <TypeDetails
          type={draft.type}
          details={draft.details}
          onChange={(changes) => onChange({ details: { ...draft.details, ...changes } })}
          onRun={onRun}
        />
      )}
      <div className="rule-editor-pair">
        <TextField
          label={words.source}
          dir="ltr"
          value={draft.source}
          onChange={(event) => onChange({ source: event.target.value })}
        />
        <TextField
          label={words.host}
          dir="ltr"
          value={draft.host}
          onChange={(event) => onChange({ host: event.target.value })}
        />
      </div>
    </div>
  );
}

function AlertFields({ draft, onChange, realTitle }: EditorFieldsProps) {
  const words = { ...usePhrases(rulesPhrases), ...usePhrases(editorPhrases) };
  const { alert } = draft;
  const set = (changes: Partial<AlertDraft>) => onChange({ alert: { ...alert, ...changes } });
  return (
    <div className="rules-form">
      <SelectField
        label={words.severity}
        value={alert.severity}
        onChange={(severity) => set({ severity })}
        options={SEVERITIES.map((value) => ({ value, label: words.severities[value] }))}
      />
      <TextField
        label={words.title}
        hint={
          realTitle === undefined ? (
            <bdi>{words.titleHint}</bdi>
          ) : (
            <>
              {words.titleShown}: <SafeText>{realTitle}</SafeText>
            </>
          )
        }
        dir="ltr"
        maxLength={500}
        value={alert.title}
        onChange={(event) => set({ title: event.target.value })}
      />
      <TextArea
        label={words.description}
        rows={2}
        dir="ltr"
        maxLength={20_000}
        value={alert.description}
        onChange={(event) => set({ description: event.target.value })}
      />
      <Checkbox
        label={words.createsCase}
        checked={alert.createsCase}
        onChange={(createsCase) => set({ createsCase })}
      />
    </div>
  );
}

function ScheduleFields({ draft, onChange }: EditorFieldsProps) {
  const words = usePhrases(editorPhrases);
  return (
    <div className="rule-editor-pair">
      <SelectField
        label={words.scheduled}
        value={draft.isScheduled ? "schedule" : "stream"}
        onChange={(value) => onChange({ isScheduled: value === "schedule" })}
        options={[
          { value: "schedule", label: words.bySchedule },
          { value: "stream", label: words.byStream },
        ]}
      />
      {draft.isScheduled && (
        <TextField
          label={words.interval}
          type="number"
          min={1}
          max={10_080}
          value={draft.minutes}
          onChange={(event) => onChange({ minutes: event.target.value })}
        />
      )}
    </div>
  );
}

function AboutFields({ draft, onChange }: EditorFieldsProps) {
  const words = { ...usePhrases(rulesPhrases), ...usePhrases(editorPhrases) };
  // Specific roles can only be set through the API; the editor keeps them.
  const modes = draft.sharing === "roles" ? (["private", "team", "roles"] as const) : (["private", "team"] as const);
  return (
    <div className="rules-form">
      <div className="rule-editor-pair">
        <TextField
          label={words.techniques}
          hint={<bdi dir="ltr">{words.techniquesHint}</bdi>}
          dir="ltr"
          value={draft.techniques}
          onChange={(event) => onChange({ techniques: event.target.value })}
        />
        <TextField
          label={words.tags}
          hint={words.tagsHint}
          value={draft.tags}
          onChange={(event) => onChange({ tags: event.target.value })}
        />
      </div>
      <TextArea
        label={words.text}
        rows={3}
        maxLength={20_000}
        value={draft.description}
        onChange={(event) => onChange({ description: event.target.value })}
      />
      <SelectField
        label={words.sharing}
        value={draft.sharing}
        onChange={(sharing) => onChange({ sharing })}
        options={modes.map((value) => ({ value, label: words.sharings[value] }))}
      />
    </div>
  );
}
