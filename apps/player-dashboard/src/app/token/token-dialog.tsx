import { useState } from "preact/hooks";
import { Button } from "../../design/button.tsx";
import { TextField } from "../../design/fields.tsx";
import { Dialog } from "../../design/layout.tsx";
import { useApp, usePhrases } from "../app.ts";
import { readToken, type TokenQuestion } from "./token-keeper.ts";
import { tokenPhrases } from "./token-phrases.ts";

type Trouble = "malformed" | "wrong" | "noAnswer";

/** Asks for the device's token, and checks it before it is stored. */
export function TokenDialog({ check }: { check: (token: string) => Promise<"right" | "wrong" | "noAnswer"> }) {
  const { tokens } = useApp();
  const question = tokens.question.value;
  return question ? <TokenForm question={question} check={check} /> : null;
}

function TokenForm({
  question,
  check,
}: {
  question: TokenQuestion;
  check: (token: string) => Promise<"right" | Trouble>;
}) {
  const { tokens } = useApp();
  const phrases = usePhrases(tokenPhrases);
  const [typed, setTyped] = useState("");
  const [trouble, setTrouble] = useState<Trouble>();
  const [isBusy, setBusy] = useState(false);

  async function unlock(): Promise<void> {
    const token = readToken(typed);
    if (!token) {
      setTrouble("malformed");
      return;
    }
    setBusy(true);
    const verdict = await check(token);
    setBusy(false);
    if (verdict === "right") tokens.answer(token);
    else setTrouble(verdict);
  }

  return (
    <Dialog title={phrases.title} onClose={() => tokens.answer(undefined)}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void unlock();
        }}
      >
        <p>{phrases[question.why]}</p>
        <TextField
          label={phrases.label}
          hint={phrases.where}
          value={typed}
          type="password"
          isLatin
          autoComplete="current-password"
          error={trouble && phrases[trouble]}
          onInput={(value) => {
            setTyped(value);
            setTrouble(undefined);
          }}
        />
        <div class="actions">
          <Button type="submit" kind="primary" icon="unlock" isBusy={isBusy}>
            {phrases.unlock}
          </Button>
          <Button kind="quiet" onClick={() => tokens.answer(undefined)}>
            {phrases.later}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
