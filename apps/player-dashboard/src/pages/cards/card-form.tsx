import { useState } from "preact/hooks";
import { useApp, usePhrases } from "../../app/app.ts";
import { fill, isolated } from "../../app/language/translations.ts";
import { TargetPicker } from "../../app/targets/target-picker.tsx";
import { useSaving } from "../../app/targets/use-saving.ts";
import { Button } from "../../design/button.tsx";
import { SelectField, TextField } from "../../design/fields.tsx";
import { Dialog } from "../../design/layout.tsx";
import { buildCardRequest, type CardDraft, missingIn } from "./card-draft.ts";
import { cardsPhrases } from "./cards-phrases.ts";
import { spacedUid } from "./uid.ts";

const REPEATS = ["toggle", "restart", "next", "ignore"] as const;
const REMOVES = ["inherit", "continue", "pause", "stop"] as const;

export interface CardFormProps {
  initial: CardDraft;
  isNew: boolean;
  refresh: () => Promise<void>;
  onClose: () => void;
}

export function CardForm({ initial, isNew, refresh, onClose }: CardFormProps) {
  const { api, notices } = useApp();
  const phrases = usePhrases(cardsPhrases);
  const [draft, setDraft] = useState(initial);
  const [wasTried, setTried] = useState(false);
  const { isBusy, refusal, save } = useSaving();
  const change = (changed: Partial<CardDraft>) => setDraft({ ...draft, ...changed });
  const missing = wasTried ? missingIn(draft) : undefined;
  const trouble = missing === "target" ? phrases.missing.target : refusal;

  async function submit(): Promise<void> {
    setTried(true);
    const request = buildCardRequest(draft);
    if (!request) return;
    const isDone = await save(async () => {
      await api.post("/rfid/cards", request);
      await refresh();
    });
    if (!isDone) return;
    notices.show("done", phrases.saved);
    onClose();
  }

  return (
    <Dialog title={isNew ? phrases.newTitle : phrases.editTitle} onClose={onClose}>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <p class="row-aside">{fill(phrases.number, { uid: isolated(spacedUid(draft.uid)) })}</p>
        <TextField
          label={phrases.name}
          hint={phrases.nameHint}
          value={draft.name}
          maxLength={100}
          error={missing === "name" ? phrases.missing.name : undefined}
          onInput={(name) => change({ name })}
        />
        <TargetPicker draft={draft.target} onChange={(target) => change({ target })} />
        <TapFields draft={draft} change={change} />
        {trouble && (
          <p class="form-trouble" role="alert">
            {trouble}
          </p>
        )}
        <div class="actions">
          <Button type="submit" kind="primary" icon="check" needsToken isBusy={isBusy}>
            {phrases.save}
          </Button>
          <Button kind="quiet" onClick={onClose}>
            {phrases.cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** What a second tap and lifting the card do. */
function TapFields({ draft, change }: { draft: CardDraft; change: (changed: Partial<CardDraft>) => void }) {
  const { live } = useApp();
  const phrases = usePhrases(cardsPhrases);
  const policy = live.settings.view.value?.card_removal;
  const inherit = policy && fill(phrases.inheritNow, { what: phrases.removes[policy] });
  return (
    <>
      <SelectField
        label={phrases.onRepeat}
        value={draft.on_repeat}
        options={REPEATS.map((value) => ({ value, label: phrases.repeats[value] }))}
        onChange={(on_repeat) => change({ on_repeat })}
      />
      <SelectField
        label={phrases.onRemove}
        value={draft.on_remove}
        options={REMOVES.map((value) => ({
          value,
          label: value === "inherit" && inherit ? inherit : phrases.removes[value],
        }))}
        onChange={(on_remove) => change({ on_remove })}
      />
    </>
  );
}
