import type { AssetClass } from "@soc/service/contract/casework/sites/sites";
import { type SubmitEvent, useId, useState } from "react";
import { useApp } from "../../../app/app-context.ts";
import { useChanges } from "../../../app/changes/use-changes.tsx";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { useMode } from "../../../app/mode/use-mode.ts";
import { useNotices } from "../../../app/notices/notices.tsx";
import { Button } from "../../../design/button.tsx";
import { Dialog } from "../../../design/dialog.tsx";
import { Checkbox, TextArea, TextField } from "../../../design/field.tsx";
import { createSite } from "./sites-client.ts";
import { sitesPhrases } from "./sites-phrases.ts";

const CLASSES: readonly AssetClass[] = ["it", "cloud", "identity", "ot", "iot", "medical", "building", "mobile"];

export function SiteDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const words = usePhrases(sitesPhrases);
  const { server } = useApp();
  const { send } = useChanges();
  const { notify } = useNotices();
  const mode = useMode();
  const form = useId();
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [classes, setClasses] = useState<readonly AssetClass[]>(["it"]);
  const [isBusy, setIsBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setIsBusy(true);
    const profile = {
      asset_classes: [...classes],
      ...(description.trim() !== "" && { description: description.trim() }),
    };
    const site = await send(() => createSite(server, { name: name.trim(), profile })).finally(() => setIsBusy(false));
    if (!site) return;
    notify({ tone: "ok", text: words.created });
    onDone();
    onClose();
  };
  return (
    <Dialog
      title={words.newSite}
      isOpen
      onClose={onClose}
      closeLabel={words.close}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind="primary" type="submit" form={form} isBusy={isBusy} disabled={name.trim() === ""}>
            {mode === "dry_run" ? words.preview : words.create}
          </Button>
        </>
      }
    >
      <form id={form} className="sites-form" onSubmit={(event) => void submit(event)}>
        <TextField
          label={words.fields.name}
          hint={words.nameHint}
          required
          maxLength={200}
          dir="auto"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <ClassesField value={classes} onChange={setClasses} />
        <TextArea
          label={words.fields.description}
          maxLength={2000}
          dir="auto"
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
      </form>
    </Dialog>
  );
}

function ClassesField(props: { value: readonly AssetClass[]; onChange: (classes: readonly AssetClass[]) => void }) {
  const words = usePhrases(sitesPhrases);
  return (
    <fieldset className="sites-classes">
      <legend className="field-label">{words.fields.classes}</legend>
      {CLASSES.map((each) => (
        <Checkbox
          key={each}
          label={words.classes[each]}
          checked={props.value.includes(each)}
          onChange={(isOn) => props.onChange(isOn ? [...props.value, each] : props.value.filter((one) => one !== each))}
        />
      ))}
    </fieldset>
  );
}
