import { KeyRound } from "lucide-react";
import { type SubmitEvent, useState } from "react";
import { useApp } from "../../../app/context/app-context.ts";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { isPreview } from "../../../app/server/server.ts";
import { createKey } from "../../../app/session/security-key.ts";
import { Button } from "../../../design/button.tsx";
import { Notice } from "../../../design/states.tsx";
import type { AddFactorProps } from "./add-app.tsx";
import { addKey, requestNewKeyOptions } from "./factors-client.ts";
import { factorsPhrases } from "./factors-phrases.ts";
import { FirstFields, readFirstFields } from "./first-fields.tsx";
import { useAttempt } from "./use-attempt.ts";

/** Creates a security key for this site in the browser. */
export function AddKey({ isFirst, onAdded, onCancel }: AddFactorProps) {
  const words = usePhrases(factorsPhrases);
  const { server } = useApp();
  const [isPreviewed, setIsPreviewed] = useState(false);
  const { isBusy, trouble, run, fail } = useAttempt();

  function add(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    const { name, current_password } = readFirstFields(event.currentTarget);
    run(async () => {
      const credential = await createKey(await requestNewKeyOptions(server, current_password));
      if (!credential) return fail(words.notMade);
      const answer = await addKey(server, name, credential);
      if (isPreview(answer)) setIsPreviewed(true);
      else onAdded(answer.recovery_codes);
    });
  }

  if (isPreviewed) return <Notice tone="waiting">{words.preview}</Notice>;
  return (
    <form className="factors-step" onSubmit={add}>
      <p>{words.touch}</p>
      <FirstFields isFirst={isFirst} nameHint={words.keyNameHint} trouble={trouble} />
      <div className="factors-ways factors-end">
        <Button onClick={onCancel}>{words.cancel}</Button>
        <Button kind="primary" type="submit" icon={<KeyRound />} isBusy={isBusy}>
          {words.useKey}
        </Button>
      </div>
    </form>
  );
}
