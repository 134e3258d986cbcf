import { useState } from "react";
import { now } from "../../../app/browser/clock.ts";
import { useChanges } from "../../../app/changes/use-changes.tsx";
import { useApp } from "../../../app/context/app-context.ts";
import { useCommands } from "../../../app/keys/commands-context.tsx";
import { useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { useMode } from "../../../app/mode/use-mode.ts";
import { useNotices } from "../../../app/notices/notices.tsx";
import { Button } from "../../../design/button.tsx";
import { Checkbox, SelectField, TextField } from "../../../design/field.tsx";
import { addIocs, type CheckedIoc, IOC_SEVERITIES, type IocSeverity, type IocTlp, TLP_LEVELS } from "./iocs-client.ts";
import { iocsPhrases } from "./iocs-phrases.ts";
import { chooseItems, readTags, toEnd } from "./new-iocs.ts";

export interface AddFoundProps {
  items: readonly CheckedIoc[];
  onAdded: () => void;
}

const ENDS = ["30", "90", "365", ""] as const;

/** Options for storing the extracted values, and the button that stores them. */
export function AddFound({ items, onAdded }: AddFoundProps) {
  const words = usePhrases(iocsPhrases);
  const numbers = useNumbers();
  const { server } = useApp();
  const { notify } = useNotices();
  const { mayWrite, reason, send } = useChanges();
  const isDry = useMode() === "dry_run";
  const [severity, setSeverity] = useState<IocSeverity>("medium");
  const [tlp, setTlp] = useState<IocTlp>("amber");
  const [days, setDays] = useState<(typeof ENDS)[number]>("90");
  const [tags, setTags] = useState("");
  const [isForced, setIsForced] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const chosen = chooseItems(items, isForced);
  const isRefused = reason !== undefined || chosen.length === 0;
  const add = async () => {
    if (isRefused || isBusy) return;
    setIsBusy(true);
    const shared = { severity, tlp, tags: readTags(tags), expires_at: toEnd(days, now()) };
    const added = await send(() =>
      addIocs(
        server,
        chosen.map((value) => ({ value, ...shared })),
        isForced,
      ),
    );
    setIsBusy(false);
    if (!added) return;
    notify({ tone: "ok", text: numbers.count(added.created + added.merged, words.added) });
    onAdded();
  };
  const label = numbers.count(chosen.length, isDry ? words.previewAdd : words.add);
  useCommands(
    mayWrite
      ? [{ id: "iocs.add", label, group: words.title, keys: ["mod+Enter"], isEnabled: !isRefused, reason, run: add }]
      : [],
  );
  if (!mayWrite) return null;
  const hasWarned = items.some(({ state }) => state === "warned");
  return (
    <div className="iocs-add">
      <SelectField
        label={words.severity}
        value={severity}
        options={IOC_SEVERITIES.map((value) => ({ value, label: words.severities[value] }))}
        onChange={setSeverity}
      />
      <SelectField
        label={words.tlp}
        value={tlp}
        options={TLP_LEVELS.map((value) => ({ value, label: words.tlps[value] }))}
        onChange={setTlp}
      />
      <SelectField
        label={words.ends}
        value={days}
        options={ENDS.map((value) => ({
          value,
          label: value === "" ? words.noEnd : numbers.count(Number(value), words.inDays),
        }))}
        onChange={setDays}
      />
      <TextField
        label={words.tags}
        value={tags}
        placeholder={words.tagsHint}
        onChange={(event) => setTags(event.currentTarget.value)}
      />
      {hasWarned && <Checkbox label={words.alsoWarned} checked={isForced} onChange={setIsForced} />}
      <Button kind="primary" isBusy={isBusy} disabled={isRefused} title={reason} onClick={() => void add()}>
        {label}
      </Button>
    </div>
  );
}
