import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ChevronLeft } from "lucide-react";
import { useId, useState } from "react";
import { Link } from "../../../../app/address/link.tsx";
import { useChanges, withChanges } from "../../../../app/changes/use-changes.tsx";
import { fill, useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { useMode } from "../../../../app/mode/use-mode.ts";
import { FailedPart, Page } from "../../../../app/page/page.tsx";
import { isPreview } from "../../../../app/server/server.ts";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { Button } from "../../../../design/button.tsx";
import { Checkbox, TextArea } from "../../../../design/field.tsx";
import { Panel } from "../../../../design/panel.tsx";
import { Notice } from "../../../../design/states.tsx";
import { RuleLink } from "../rule-link.tsx";
import { type ImportResult, ruleKeys, useRulesClient } from "../rules-client.ts";
import { importPhrases } from "./import-phrases.ts";
import "../rules.css";
import "./import.css";

const MAX_BYTES = 1_048_576;

export const ImportPage = withChanges("detections:write", Import);

function Import() {
  const words = usePhrases(importPhrases);
  const { reason } = useChanges();
  const mode = useMode();
  const queries = useQueryClient();
  const client = useRulesClient();
  const [yaml, setYaml] = useState("");
  const [isEnabled, setIsEnabled] = useState(false);
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => client.import(yaml, isEnabled),
    onSuccess: () => void queries.invalidateQueries({ queryKey: ruleKeys.health }),
  });
  const answer = data && isPreview(data) ? data.preview : data;
  return (
    <Page
      title={words.title}
      back={
        <Link to="/detections" className="rules-back" title={words.back}>
          <ChevronLeft aria-hidden="true" />
        </Link>
      }
    >
      <div className="rules-import">
        <form
          className="rules-form"
          onSubmit={(event) => {
            event.preventDefault();
            mutate();
          }}
        >
          <p className="soft">{words.text}</p>
          <TextArea
            label={words.yaml}
            placeholder={words.paste}
            dir="ltr"
            rows={16}
            spellCheck={false}
            className="mono"
            value={yaml}
            onChange={(event) => setYaml(event.target.value)}
          />
          <FileChoice onText={setYaml} />
          <Checkbox label={words.enabled} checked={isEnabled} onChange={setIsEnabled} />
          <div>
            <Button
              kind="primary"
              type="submit"
              isBusy={isPending}
              disabled={reason !== undefined || yaml.trim() === ""}
              title={reason}
            >
              {mode === "dry_run" ? words.preview : words.import}
            </Button>
          </div>
        </form>
        <div className="rules-form" role="status">
          {error && <FailedPart title={words.noneRead} error={error} />}
          {data && isPreview(data) && <Notice tone="waiting">{words.previewed}</Notice>}
          {answer && <ImportedRules answer={answer} isPreviewed={data !== undefined && isPreview(data)} />}
        </div>
      </div>
    </Page>
  );
}

function FileChoice({ onText }: { onText: (text: string) => void }) {
  const words = usePhrases(importPhrases);
  const id = useId();
  const [isTooLarge, setIsTooLarge] = useState(false);
  const read = async (file: File | undefined) => {
    if (!file) return;
    setIsTooLarge(file.size > MAX_BYTES);
    if (file.size <= MAX_BYTES) onText(await file.text());
  };
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {words.file}
      </label>
      <input
        id={id}
        type="file"
        accept=".yml,.yaml,text/yaml"
        onChange={(event) => void read(event.currentTarget.files?.[0])}
      />
      {isTooLarge && (
        <p className="field-error" role="alert">
          {words.tooLarge}
        </p>
      )}
    </div>
  );
}

/** The result per document: imported, or why not. */
function ImportedRules({ answer, isPreviewed }: { answer: ImportResult; isPreviewed: boolean }) {
  const words = usePhrases(importPhrases);
  const { count } = useNumbers();
  return (
    <>
      {answer.refused.length > 0 && (
        <Panel title={<span className="rules-red">{count(answer.refused.length, words.refused)}</span>}>
          <ul className="rules-import-list">
            {answer.refused.map(({ document, title, reasons }) => (
              <li key={document}>
                <p>
                  {fill(words.document, { n: document })} · <SafeText>{title}</SafeText>
                </p>
                {reasons.map((why) => (
                  <p key={why} className="rules-red">
                    <SafeText>{why}</SafeText>
                  </p>
                ))}
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {answer.items.length > 0 && (
        <Panel title={count(answer.items.length, words.accepted)}>
          <ul className="rules-import-list">
            {answer.items.map(({ result, rule }) => (
              <li key={rule.id}>
                {isPreviewed ? <SafeText>{rule.name}</SafeText> : <RuleLink rule={rule} />}{" "}
                <span className="soft">{words.results[result]}</span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  );
}
