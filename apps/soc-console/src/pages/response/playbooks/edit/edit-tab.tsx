import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { useAddress } from "../../../../app/address/use-address.ts";
import { TextDifference } from "../../../../app/changes/text-difference.tsx";
import { useChanges } from "../../../../app/changes/use-changes.tsx";
import { CommandButton } from "../../../../app/keys/command-button.tsx";
import type { Command } from "../../../../app/keys/commands.ts";
import { useCommands } from "../../../../app/keys/commands-context.tsx";
import { fill, isolated, usePhrases } from "../../../../app/language/language-context.tsx";
import { useMode } from "../../../../app/mode/use-mode.ts";
import { useNotices } from "../../../../app/notices/notices.tsx";
import { FailedPart } from "../../../../app/page/page.tsx";
import { type Playbook, playbookKeys } from "../../../../app/playbooks/playbooks-client.ts";
import { useActions } from "../../../../app/playbooks/use-actions.ts";
import { YamlEditor } from "../../../../app/yaml-editor/yaml-editor.tsx";
import { Button } from "../../../../design/button.tsx";
import { Notice, Skeleton } from "../../../../design/states.tsx";
import { playbooksPhrases } from "../playbooks-phrases.ts";
import { usePlaybooksClient } from "../use-playbook.ts";
import { completeYaml } from "./complete-yaml.ts";
import { keepDraft, readDraft } from "./drafts.ts";
import { EditSide, type Place } from "./edit-side.tsx";
import { useValidation, type Validation } from "./use-validation.ts";

export interface EditTabProps {
  id: string;
  /** Undefined while the playbook does not exist. */
  playbook: Playbook | undefined;
  etag: string | undefined;
}

const FIRST = `name: A new playbook
description: ""
inputs: []
steps:
  - id: note
    name: Write it down
    action: case.comment
    params:
      body: "Done by {execution.actor}."
`;

/** The playbook as YAML, validated while the user types. */
export function EditTab({ id, playbook, etag }: EditTabProps) {
  const client = usePlaybooksClient();
  const version = playbook?.version ?? 0;
  const { data, error, refetch } = useQuery({
    queryKey: playbookKeys.one(id, "yaml", String(version)),
    queryFn: ({ signal }) => client.yaml(id, signal),
    enabled: playbook !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const stored = playbook ? data : FIRST;
  if (stored === undefined) {
    return error ? <FailedPart error={error} onRetry={() => void refetch()} /> : <Skeleton rows={12} />;
  }
  return <Editor id={id} playbook={playbook} etag={etag} stored={stored} />;
}

const NO_PROBLEMS: Validation["problems"] = [];

function Editor({ id, playbook, etag, stored }: EditTabProps & { stored: string }) {
  const words = usePhrases(playbooksPhrases);
  const actions = useActions();
  // The text is based on the version it was loaded from, even if another user saves one in the meantime.
  const [base, setBase] = useState({ etag, stored, version: playbook?.version });
  const [text, setText] = useState(() => readDraft(id) ?? stored);
  const [place, setPlace] = useState<Place>();
  const { validation, isChecking } = useValidation(text);
  const write = useCallback(
    (next: string) => {
      setText(next);
      keepDraft(id, next === base.stored ? undefined : next);
    },
    [id, base.stored],
  );
  const complete = useCallback((yaml: string, cursor: number) => completeYaml(yaml, cursor, actions), [actions]);
  const problems = validation?.problems ?? NO_PROBLEMS;
  const save = useSave({ id, playbook, text, problems, ifMatch: base.etag, isChanged: text !== base.stored });
  const isBehind = playbook !== undefined && base.version !== undefined && playbook.version !== base.version;
  if (isBehind && text === base.stored) {
    setBase({ etag, stored, version: playbook.version });
    setText(stored);
  }
  return (
    <div className="playbooks-edit">
      <div className="playbooks-editor">
        {isBehind && text !== base.stored && text !== stored && (
          <Behind
            playbook={playbook}
            mine={text}
            theirs={stored}
            onKeep={() => setBase({ etag, stored, version: playbook.version })}
            onTake={() => {
              setBase({ etag, stored, version: playbook.version });
              setText(stored);
              keepDraft(id, undefined);
            }}
          />
        )}
        <YamlEditor
          value={text}
          onChange={write}
          onSave={() => save.isEnabled !== false && void save.run()}
          label={words.editorLabel}
          problems={problems}
          complete={complete}
          place={place}
        />
      </div>
      <EditSide
        validation={validation}
        isChecking={isChecking}
        onPlace={setPlace}
        save={<CommandButton kind="primary" command={save} />}
        difference={playbook && text !== base.stored && <TextDifference before={base.stored} after={text} />}
      />
    </div>
  );
}

interface SaveWith {
  id: string;
  playbook: Playbook | undefined;
  text: string;
  problems: Validation["problems"];
  ifMatch: string | undefined;
  isChanged: boolean;
}

/** ⌘S saves the text as a new version. */
function useSave({ id, playbook, text, problems, ifMatch, isChanged }: SaveWith): Command {
  const words = usePhrases(playbooksPhrases);
  const mode = useMode();
  const client = usePlaybooksClient();
  const queries = useQueryClient();
  const { go } = useAddress();
  const { notify } = useNotices();
  const { reason, send } = useChanges();
  const why =
    reason ?? (problems.length > 0 ? words.fixFirst : playbook && !isChanged ? words.nothingChanged : undefined);
  const label = fill(mode === "dry_run" ? words.previewSave : words.save, { version: (playbook?.version ?? 0) + 1 });
  const command: Command = {
    id: "playbook.save",
    label,
    group: words.playbook,
    keys: ["mod+s"],
    isEnabled: why === undefined,
    reason: why,
    isInStatusLine: true,
    run: async () => {
      const saved = await send(() => client.save(id, { yaml: text }, ifMatch), { before: playbook });
      if (!saved) return;
      keepDraft(id, undefined);
      notify({ tone: "ok", text: fill(words.saved, { version: saved.version }) });
      await queries.invalidateQueries({ queryKey: playbookKeys.all });
      go(`/playbooks/${id}/view`);
    },
  };
  useCommands([command]);
  return command;
}

interface BehindProps {
  playbook: Playbook;
  mine: string;
  theirs: string;
  onKeep: () => void;
  onTake: () => void;
}

/** Another user saved a version while this text was edited. */
function Behind({ playbook, mine, theirs, onKeep, onTake }: BehindProps) {
  const words = usePhrases(playbooksPhrases);
  return (
    <div className="playbooks-behind">
      <Notice
        tone="waiting"
        action={
          <span className="playbooks-line">
            <Button size="s" onClick={onTake}>
              {words.takeTheirs}
            </Button>
            <Button size="s" onClick={onKeep}>
              {words.keepMine}
            </Button>
          </span>
        }
      >
        {fill(words.behind, { name: isolated(playbook.updated_by), version: playbook.version })}
      </Notice>
      <TextDifference before={theirs} after={mine} />
    </div>
  );
}
