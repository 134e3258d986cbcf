import type { AssetClass } from "@soc/service/contract/identity/sites/sites";
import { FormDialog, useForm } from "../../../app/changes/form-dialog.tsx";
import { useApp } from "../../../app/context/app-context.ts";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { useNotices } from "../../../app/notices/notices.tsx";
import { Checkbox, TextArea, TextField } from "../../../design/field.tsx";
import { createSite } from "./sites-client.ts";
import { sitesPhrases } from "./sites-phrases.ts";

const CLASSES: readonly AssetClass[] = ["it", "cloud", "identity", "ot", "iot", "medical", "building", "mobile"];

interface SiteForm {
  name: string;
  description: string;
  classes: readonly AssetClass[];
}

export function SiteDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const words = usePhrases(sitesPhrases);
  const { server } = useApp();
  const { notify } = useNotices();
  const form = useForm<SiteForm, unknown>({
    initial: { name: "", description: "", classes: ["it"] },
    hasField: (field) => field === "name",
    ask({ name, description, classes }) {
      const profile = {
        asset_classes: [...classes],
        ...(description.trim() !== "" && { description: description.trim() }),
      };
      return createSite(server, { name: name.trim(), profile });
    },
    onDone() {
      notify({ tone: "ok", text: words.created });
      onDone();
      onClose();
    },
  });
  const { typed, type, findError } = form;
  return (
    <FormDialog
      title={words.newSite}
      verb={words.create}
      isIncomplete={typed.name.trim() === ""}
      className="sites-form"
      {...{ form, onClose }}
    >
      <TextField
        label={words.fields.name}
        hint={words.nameHint}
        error={findError("name")}
        required
        maxLength={200}
        dir="auto"
        value={typed.name}
        onChange={(event) => type({ name: event.currentTarget.value })}
      />
      <ClassesField value={typed.classes} onChange={(classes) => type({ classes })} />
      <TextArea
        label={words.fields.description}
        maxLength={2000}
        dir="auto"
        value={typed.description}
        onChange={(event) => type({ description: event.currentTarget.value })}
      />
    </FormDialog>
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
