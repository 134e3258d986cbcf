import { useState } from "react";
import { useAddress } from "../../../app/address/use-address.ts";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { Button } from "../../../design/button.tsx";
import { Dialog } from "../../../design/dialog.tsx";
import { TextField } from "../../../design/field.tsx";
import { playbooksPhrases } from "./playbooks-phrases.ts";

const ID = /^[a-z][a-z0-9-]{0,79}$/;

/**
 * Asks for the id of a playbook, which cannot change later, and opens the editor. Nothing is stored until the user
 * saves.
 */
export function NewPlaybookDialog({ onClose }: { onClose: () => void }) {
  const words = usePhrases(playbooksPhrases);
  const { go } = useAddress();
  const [id, setId] = useState("");
  const isValid = ID.test(id);
  const create = () => isValid && go(`/playbooks/${id}/edit`);
  return (
    <Dialog
      title={words.newPlaybook}
      onClose={onClose}
      width="s"
      actions={
        <Button kind="primary" disabled={!isValid} onClick={create}>
          {words.write}
        </Button>
      }
    >
      <TextField
        label={words.id}
        dir="ltr"
        hint={words.idHint}
        error={id !== "" && !isValid ? words.idHint : undefined}
        value={id}
        onChange={(event) => setId(event.currentTarget.value.trim())}
        onKeyDown={(event) => event.key === "Enter" && create()}
      />
    </Dialog>
  );
}
