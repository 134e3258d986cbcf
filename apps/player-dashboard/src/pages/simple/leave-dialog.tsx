import { useState } from "preact/hooks";
import { useLanguage, usePhrases } from "../../app/app.ts";
import { formatDigits } from "../../app/language/times.ts";
import { fill } from "../../app/language/translations.ts";
import { Button } from "../../design/button.tsx";
import { TextField } from "../../design/fields.tsx";
import { Dialog } from "../../design/layout.tsx";
import { isSolved, type Sum } from "./leaving-sum.ts";
import { simplePhrases } from "./simple-phrases.ts";

export interface LeaveDialogProps {
  sum: Sum;
  onLeave: () => void;
  onStay: () => void;
}

export function LeaveDialog({ sum, onLeave, onStay }: LeaveDialogProps) {
  const phrases = usePhrases(simplePhrases);
  const language = useLanguage();
  const [typed, setTyped] = useState("");
  const [isWrong, setWrong] = useState(false);
  const figure = (value: number) => formatDigits(String(value), language);
  return (
    <Dialog title={phrases.leaveTitle} onClose={onStay}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isSolved(sum, typed)) onLeave();
          else setWrong(true);
        }}
      >
        <p class="simple-sum">{fill(phrases.leaveSum, { first: figure(sum.first), second: figure(sum.second) })}</p>
        <TextField
          label={phrases.leaveAnswer}
          value={typed}
          maxLength={4}
          isRequired
          error={isWrong ? phrases.leaveWrong : undefined}
          onInput={(value) => {
            setTyped(value);
            setWrong(false);
          }}
        />
        <Button kind="primary" type="submit">
          {phrases.leaveNow}
        </Button>
      </form>
    </Dialog>
  );
}
