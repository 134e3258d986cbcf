import { useState } from "preact/hooks";
import { usePhrases } from "../../app/app.ts";
import { Button } from "../../design/button.tsx";
import { TextField } from "../../design/fields.tsx";
import { timePhrases } from "./time-phrases.ts";

/** For a zone that is not in the list; the device validates the rule. */
export function RuleForm({ rule, onUse }: { rule: string; onUse: (rule: string) => Promise<void> }) {
  const phrases = usePhrases(timePhrases);
  const [typed, setTyped] = useState<string>();
  const value = typed ?? rule;
  const isEmpty = value.trim() === "";
  return (
    <details class="more-of">
      <summary>{phrases.otherZones}</summary>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isEmpty) void onUse(value.trim());
        }}
      >
        <TextField
          label={phrases.rule}
          hint={phrases.ruleHint}
          value={value}
          isLatin
          maxLength={100}
          error={isEmpty ? phrases.ruleEmpty : undefined}
          onInput={setTyped}
        />
        <div class="actions">
          <Button type="submit" needsToken disabled={isEmpty || value.trim() === rule}>
            {phrases.useRule}
          </Button>
        </div>
      </form>
    </details>
  );
}
