import { useState } from "preact/hooks";
import { useApp, usePhrases } from "../../app/app.ts";
import { checkToken } from "../../app/token/check-token.ts";
import { readToken } from "../../app/token/token-keeper.ts";
import { tokenPhrases } from "../../app/token/token-phrases.ts";
import { Button } from "../../design/button.tsx";
import { TextField } from "../../design/fields.tsx";
import { StepFrame, type StepProps } from "./step-frame.tsx";
import { welcomePhrases } from "./welcome-phrases.ts";

export function TokenStep({ onNext, onBack }: StepProps) {
  const { api, tokens } = useApp();
  const phrases = usePhrases(welcomePhrases);
  const words = usePhrases(tokenPhrases);
  const [typed, setTyped] = useState("");
  const [trouble, setTrouble] = useState<"malformed" | "wrong" | "noAnswer">();
  const [isBusy, setBusy] = useState(false);

  // The owner may have used the lock at the top of the page instead.
  const isUnlocked = tokens.token.value !== undefined && !isBusy;

  async function unlock(): Promise<void> {
    const token = readToken(typed);
    if (!token) {
      setTrouble("malformed");
      return;
    }
    setBusy(true);
    tokens.answer(token);
    const verdict = await checkToken(api);
    setBusy(false);
    if (verdict === "right") {
      onNext();
      return;
    }
    tokens.forget();
    setTrouble(verdict);
  }

  return (
    <StepFrame title={phrases.tokenTitle} onBack={onBack} onNext={isUnlocked ? onNext : undefined}>
      <p>{phrases.tokenText}</p>
      <p>
        <strong>{phrases.tokenScan}</strong> {phrases.tokenType}
      </p>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void unlock();
        }}
      >
        <TextField
          label={words.label}
          hint={words.where}
          value={typed}
          type="password"
          isLatin
          autoComplete="current-password"
          error={trouble && words[trouble]}
          onInput={(value) => {
            setTyped(value);
            setTrouble(undefined);
          }}
        />
        <div class="guide-choices">
          <Button type="submit" kind="primary" icon="unlock" isBusy={isBusy}>
            {words.unlock}
          </Button>
        </div>
      </form>
    </StepFrame>
  );
}
