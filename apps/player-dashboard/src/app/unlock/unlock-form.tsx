import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Button } from "../../design/button.tsx";
import { TextField } from "../../design/fields.tsx";
import { useApp, useLanguage, usePhrases } from "../app.ts";
import { counted } from "../language/numbers.ts";
import { fill } from "../language/translations.ts";
import type { Trouble } from "../token/unlock.ts";
import { choosePairingHints, usePairing } from "./pairing.ts";
import { tokenPhrases } from "./token-phrases.ts";

/** Takes a pairing code, a link or the token, and explains how to get one from this very device. */
export function UnlockForm({ onToken, children }: { onToken: (token: string) => void; children?: ComponentChildren }) {
  const { unlock } = useApp();
  const phrases = usePhrases(tokenPhrases);
  const hints = useHints();
  const [typed, setTyped] = useState("");
  const [trouble, setTrouble] = useState<Trouble>();
  const [isBusy, setBusy] = useState(false);

  async function submit(): Promise<void> {
    setBusy(true);
    const unlocked = await unlock(typed);
    setBusy(false);
    if ("token" in unlocked) onToken(unlocked.token);
    else setTrouble(unlocked.trouble);
  }

  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {hints.map((hint) => (
        <p key={hint}>{hint}</p>
      ))}
      <TextField
        label={phrases.label}
        hint={phrases.tokenToo}
        value={typed}
        isLatin
        autoComplete="one-time-code"
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
        {children}
      </div>
    </form>
  );
}

function useHints(): string[] {
  const phrases = usePhrases(tokenPhrases);
  const language = useLanguage();
  const pairing = usePairing();
  if (!pairing) return [];
  const { hold_s, command } = pairing;
  const values = { seconds: counted(hold_s ?? 0, phrases.seconds, language), command: command ?? "" };
  return choosePairingHints(pairing).map((hint) => fill(phrases[hint], values));
}
