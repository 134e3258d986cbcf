import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/layout.tsx";
import { useApp, usePhrases } from "../app.ts";
import { tokenPhrases } from "./token-phrases.ts";
import { UnlockForm } from "./unlock-form.tsx";

/** Asks for a pairing code or the device's token when a change needs it. */
export function TokenDialog() {
  const { tokens } = useApp();
  const phrases = usePhrases(tokenPhrases);
  const question = tokens.question.value;
  if (!question) return null;
  const decline = () => tokens.answer(undefined);
  return (
    <Dialog title={phrases.title} onClose={decline}>
      <div class="stack">
        <p>{phrases[question.why]}</p>
        <UnlockForm onToken={tokens.answer}>
          <Button kind="quiet" onClick={decline}>
            {phrases.later}
          </Button>
        </UnlockForm>
      </div>
    </Dialog>
  );
}
