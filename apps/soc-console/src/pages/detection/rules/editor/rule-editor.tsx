import { useQueryClient } from "@tanstack/react-query";
import { ChevronLeft } from "lucide-react";
import { useState } from "react";
import { Link } from "../../../../app/address/link.tsx";
import { useAddress } from "../../../../app/address/use-address.ts";
import { now } from "../../../../app/browser/clock.ts";
import { useChanges } from "../../../../app/changes/use-changes.tsx";
import { useMay } from "../../../../app/context/app-context.ts";
import { commandKeys } from "../../../../app/keys/chord-caps.tsx";
import type { Command } from "../../../../app/keys/commands.ts";
import { useCommands } from "../../../../app/keys/commands-context.tsx";
import { fill, usePhrases } from "../../../../app/language/language-context.tsx";
import { useMode } from "../../../../app/mode/use-mode.ts";
import { useBack } from "../../../../app/mode/use-recovery.ts";
import { Page } from "../../../../app/page/page.tsx";
import { errorWords } from "../../../../app/server/api-error.ts";
import { safeText } from "../../../../app/text/safe-text.ts";
import { Button } from "../../../../design/button.tsx";
import { Checkbox } from "../../../../design/field.tsx";
import { Notice } from "../../../../design/states.tsx";
import { type Rule, ruleKeys } from "../rules-client.ts";
import { rulesPhrases } from "../rules-phrases.ts";
import { BacktestPanel } from "./backtest-panel.tsx";
import { EditorFields } from "./editor-fields.tsx";
import { editorPhrases } from "./editor-phrases.ts";
import { createDraft, type RuleDraft, toDraft } from "./rule-draft.ts";
import { SigmaPanel } from "./sigma-panel.tsx";
import { type Span, useBacktest } from "./use-backtest.ts";
import { isConflict, type RuleSave, useRuleSave } from "./use-rule-save.ts";

const DEFAULT_SPAN = "7";
/** Without the permission, no backtest runs. */
const UNTESTED = createDraft();

/** The rule editor with a live backtest beside it. */
export function RuleEditor({ stored, query }: { stored: Rule | undefined; query: string }) {
  const words = { ...usePhrases(rulesPhrases), ...usePhrases(editorPhrases) };
  const { mayWrite } = useChanges();
  const maySearch = useMay("siem:search");
  const [draft, setDraft] = useState<RuleDraft>(() => (stored ? toDraft(stored) : createDraft(query)));
  const [span, setSpan] = useState<Span>(DEFAULT_SPAN);
  const [to, setTo] = useState(() => now().toISOString());
  const saving = useRuleSave(stored);
  const test = useBacktest(maySearch ? draft : UNTESTED, stored, span, to);
  const refresh = () => setTo(now().toISOString());
  useBack(() => {
    if (test.error !== undefined) refresh();
  });
  const change = (changes: Partial<RuleDraft>) => setDraft((before) => ({ ...before, ...changes }));
  return (
    <Page
      title={stored ? safeText(stored.name) : words.newTitle}
      isFull
      back={
        <Link
          to={stored ? `/detections/${stored.id}` : "/detections"}
          className="rules-back"
          title={stored ? words.leave : words.back}
        >
          <ChevronLeft aria-hidden="true" />
        </Link>
      }
      tools={mayWrite && <SaveTools {...{ draft, stored, saving }} onChange={change} />}
    >
      <SaveProblem {...{ draft, stored, saving }} />
      <div className="rule-editor">
        <div className="rule-editor-fields">
          {stored && <SigmaPanel rule={stored} />}
          <EditorFields
            draft={draft}
            onChange={change}
            onRun={refresh}
            hasSigma={(stored?.sigma ?? null) !== null}
            realTitle={test.found?.result.preview.alerts[0]?.title}
            isNameAsked={saving.isNameAsked}
          />
        </div>
        <div className="rule-editor-test">
          <BacktestPanel {...{ test, stored, span }} onSpan={setSpan} onRefresh={refresh} />
        </div>
      </div>
    </Page>
  );
}

interface SaveProps {
  draft: RuleDraft;
  stored: Rule | undefined;
  saving: RuleSave;
}

function SaveTools({
  draft,
  stored,
  saving,
  onChange,
}: SaveProps & { onChange: (changes: Partial<RuleDraft>) => void }) {
  const words = usePhrases(editorPhrases);
  const { reason } = useChanges();
  const mode = useMode();
  const save: Command = {
    ...{ id: "rule.save", label: words.save, group: words.group, keys: ["mod+s"], isInStatusLine: true },
    isEnabled: reason === undefined,
    reason,
    run: async () => void (await saving.save(draft)),
  };
  useCommands([save]);
  const label = stored ? fill(words.saveVersion, { n: stored.version + 1 }) : words.save;
  return (
    <>
      <Checkbox label={words.on} checked={draft.isEnabled} onChange={(isEnabled) => onChange({ isEnabled })} />
      <Button
        kind="primary"
        {...commandKeys(save)}
        isBusy={saving.isBusy}
        disabled={reason !== undefined}
        title={reason}
        onClick={() => void saving.save(draft)}
      >
        {mode === "dry_run" ? words.preview : label}
      </Button>
    </>
  );
}

/** Why the rule was not saved. A conflicting change is overwritten only after confirmation. */
function SaveProblem({ draft, stored, saving }: SaveProps) {
  const words = usePhrases(editorPhrases);
  const { go } = useAddress();
  const queries = useQueryClient();
  const { problem, save } = saving;
  if (!problem) return null;
  if (!stored || !isConflict(problem)) {
    return (
      <Notice tone="failed">
        {words.notSaved}: <bdi>{errorWords(problem)}</bdi>
      </Notice>
    );
  }
  const reload = () => {
    queries.removeQueries({ queryKey: ruleKeys.part(stored.id, "edited") });
    go(`/detections/${stored.id}`);
  };
  return (
    <Notice
      tone="waiting"
      action={
        <span className="rules-line">
          <Button size="s" onClick={reload}>
            {words.reload}
          </Button>
          <Button size="s" kind="danger" onClick={() => void save(draft, { isOver: true })}>
            {words.saveOver}
          </Button>
        </span>
      }
    >
      {words.conflict}
    </Notice>
  );
}
