import { type SubmitEvent, useState } from "react";
import { useApp } from "../../../app/context/app-context.ts";
import { fill, isolated, usePhrases } from "../../../app/language/language-context.tsx";
import { Button } from "../../../design/button.tsx";
import { Dialog } from "../../../design/dialog.tsx";
import { TextField } from "../../../design/field.tsx";
import { Notice } from "../../../design/states.tsx";
import { type Factor, removeFactor, renameFactor } from "./factors-client.ts";
import { factorsPhrases } from "./factors-phrases.ts";
import { useAttempt } from "./use-attempt.ts";

interface ChangeFactorProps {
  factor: Factor;
  onDone: () => void;
  onClose: () => void;
}

export function RenameFactor({ factor, onDone, onClose }: ChangeFactorProps) {
  const words = usePhrases(factorsPhrases);
  const { server } = useApp();
  const [name, setName] = useState(factor.name);
  const { isBusy, trouble, run } = useAttempt();
  function save(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    run(async () => {
      await renameFactor(server, factor.id, name.trim());
      onDone();
    });
  }
  return (
    <Dialog title={words.rename} onClose={onClose} width="s" closeLabel={words.cancel}>
      <form className="factors-step" onSubmit={save}>
        <TextField
          label={words.name}
          error={trouble?.text}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          required
          maxLength={100}
          autoComplete="off"
          dir="auto"
        />
        <div className="factors-ways factors-end">
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {words.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

export function RemoveFactor({ factor, onDone, onClose }: ChangeFactorProps) {
  const words = usePhrases(factorsPhrases);
  const { server } = useApp();
  const { isBusy, trouble, run } = useAttempt();
  const remove = () =>
    run(async () => {
      await removeFactor(server, factor.id);
      onDone();
    });
  return (
    <Dialog
      title={fill(words.removeTitle, { name: isolated(factor.name) })}
      onClose={onClose}
      closeLabel={null}
      width="s"
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind="danger" isBusy={isBusy} onClick={remove}>
            {words.remove}
          </Button>
        </>
      }
    >
      <p>{words.removeText}</p>
      {trouble && <Notice tone="failed">{trouble.text}</Notice>}
    </Dialog>
  );
}
