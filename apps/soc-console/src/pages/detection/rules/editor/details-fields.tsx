import { X } from "lucide-react";
import { fill, usePhrases } from "../../../../app/language/language-context.tsx";
import { QueryEditor } from "../../../../app/query-editor/query-editor.tsx";
import { Button, IconButton } from "../../../../design/button.tsx";
import { Checkbox, SelectField, TextField } from "../../../../design/field.tsx";
import type { RuleType } from "../rules-client.ts";
import { editorPhrases } from "./editor-phrases.ts";
import { type DetailsDraft, MAX_STEPS, MIN_STEPS } from "./rule-draft.ts";

export interface TypeDetailsProps {
  type: RuleType;
  details: DetailsDraft;
  onChange: (changes: Partial<DetailsDraft>) => void;
  onRun: () => void;
}

/** The fields that a rule of this type needs beside its query. */
export function TypeDetails(props: TypeDetailsProps) {
  switch (props.type) {
    case "query":
      return null;
    case "threshold":
      return <ThresholdFields {...props} />;
    case "new_terms":
      return <NewTermsFields {...props} />;
    case "sequence":
      return <SequenceFields {...props} />;
    default:
      return props.type satisfies never;
  }
}

function GroupFields({ details, onChange }: TypeDetailsProps) {
  const words = usePhrases(editorPhrases);
  return (
    <>
      <TextField
        label={words.groupBy}
        dir="ltr"
        value={details.groupBy}
        onChange={(event) => onChange({ groupBy: event.target.value })}
      />
      <div className="rule-editor-within">
        <TextField
          label={words.within}
          type="number"
          min={1}
          value={details.within}
          onChange={(event) => onChange({ within: event.target.value })}
        />
        <SelectField
          label={words.within}
          isLabelHidden
          value={details.withinUnit}
          onChange={(withinUnit) => onChange({ withinUnit })}
          options={[
            { value: "minutes", label: words.minutes },
            { value: "seconds", label: words.seconds },
          ]}
        />
      </div>
    </>
  );
}

function ThresholdFields(props: TypeDetailsProps) {
  const words = usePhrases(editorPhrases);
  const { details, onChange } = props;
  return (
    <div className="rule-editor-pair">
      <TextField
        label={words.count}
        type="number"
        min={2}
        max={10_000}
        value={details.count}
        onChange={(event) => onChange({ count: event.target.value })}
      />
      <GroupFields {...props} />
      <TextField
        label={words.distinct}
        dir="ltr"
        value={details.distinctField}
        onChange={(event) => onChange({ distinctField: event.target.value })}
      />
    </div>
  );
}

function NewTermsFields({ details, onChange }: TypeDetailsProps) {
  const words = usePhrases(editorPhrases);
  return (
    <div className="rule-editor-pair">
      <TextField
        label={words.fields}
        dir="ltr"
        value={details.fields}
        onChange={(event) => onChange({ fields: event.target.value })}
      />
      <TextField
        label={words.historyDays}
        type="number"
        min={1}
        max={30}
        value={details.historyDays}
        onChange={(event) => onChange({ historyDays: event.target.value })}
      />
    </div>
  );
}

function SequenceFields(props: TypeDetailsProps) {
  const words = usePhrases(editorPhrases);
  const { details, onChange, onRun } = props;
  const { steps } = details;
  const set = (at: number, text: string) => onChange({ steps: steps.map((step, each) => (each === at ? text : step)) });
  return (
    <div className="rules-form">
      {steps.map((step, at) => {
        const label = fill(words.step, { n: at + 1 });
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are identified by position.
          <div key={at} className="field">
            <span className="field-label">{label}</span>
            <div className="rule-editor-step">
              <QueryEditor label={label} value={step} onChange={(text) => set(at, text)} onRun={onRun} isSingleLine />
              {steps.length > MIN_STEPS && (
                <IconButton
                  label={fill(words.removeStep, { n: at + 1 })}
                  icon={<X />}
                  size="s"
                  onClick={() => onChange({ steps: steps.filter((_, each) => each !== at) })}
                />
              )}
            </div>
          </div>
        );
      })}
      <div className="rules-line">
        {steps.length < MAX_STEPS && (
          <Button size="s" onClick={() => onChange({ steps: [...steps, ""] })}>
            {words.addStep}
          </Button>
        )}
        <Checkbox
          label={words.anyOrder}
          checked={details.isAnyOrder}
          onChange={(isAnyOrder) => onChange({ isAnyOrder })}
        />
      </div>
      <div className="rule-editor-pair">
        <GroupFields {...props} />
      </div>
    </div>
  );
}
