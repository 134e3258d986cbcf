import { useState } from "preact/hooks";
import { ApiError } from "../../app/api/api-client.ts";
import { NotUnlocked } from "../../app/api/commands.ts";
import { errorWords } from "../../app/api/error-words.ts";
import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { Button } from "../../design/button.tsx";
import { TextField } from "../../design/fields.tsx";
import { Panel } from "../../design/layout.tsx";
import { checkFingerprint, type EnrolField, findEnrolTrouble } from "./enrol-trouble.ts";
import { type MonitoringPhrases, monitoringPhrases } from "./monitoring-phrases.ts";

type Draft = Record<EnrolField, string>;
type Errors = Partial<Record<EnrolField, string>>;

const EMPTY: Draft = { address: "", code: "", authority_fingerprint: "" };
const FIELDS = ["address", "code", "authority_fingerprint"] as const;

function findErrors(draft: Draft, phrases: MonitoringPhrases): Errors {
  const missing = FIELDS.filter((field) => draft[field].trim() === "");
  if (missing.length > 0) return Object.fromEntries(missing.map((field) => [field, phrases.missing]));
  return checkFingerprint(draft.authority_fingerprint) ? {} : { authority_fingerprint: phrases.troubles.fingerprint };
}

export function EnrolForm({ onEnrolled }: { onEnrolled: () => void }) {
  const { api, commands, notices } = useApp();
  const language = useLanguage();
  const phrases = usePhrases(monitoringPhrases);
  const [draft, setDraft] = useState(EMPTY);
  const [errors, setErrors] = useState<Errors>({});
  const [refusal, setRefusal] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  function note(error: ApiError): void {
    const found = findEnrolTrouble(error);
    if (found) setErrors({ [found.field]: phrases.troubles[found.trouble] });
    else setRefusal(errorWords(error, language));
  }

  async function send(): Promise<void> {
    setBusy(true);
    try {
      await commands.unlocked(() => api.post("/monitoring/enrol", trimmed(draft)));
      notices.show("done", phrases.enrolled);
      setDraft(EMPTY);
      onEnrolled();
    } catch (error) {
      if (error instanceof ApiError) note(error);
      else if (!(error instanceof NotUnlocked)) throw error;
    } finally {
      setBusy(false);
    }
  }

  async function enrol(): Promise<void> {
    const found = findErrors(draft, phrases);
    setErrors(found);
    setRefusal(undefined);
    if (Object.keys(found).length === 0) await send();
  }

  const edit = (field: EnrolField) => (value: string) => {
    setDraft({ ...draft, [field]: value });
    setErrors({ ...errors, [field]: undefined });
  };

  return (
    <Panel title={phrases.enrol}>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void enrol();
        }}
      >
        <p>{phrases.enrolHint}</p>
        <TextField
          label={phrases.address}
          hint={phrases.addressHint}
          value={draft.address}
          isLatin
          maxLength={300}
          error={errors.address}
          onInput={edit("address")}
        />
        <TextField
          label={phrases.code}
          hint={phrases.codeHint}
          value={draft.code}
          isLatin
          maxLength={100}
          error={errors.code}
          onInput={edit("code")}
        />
        <TextField
          label={phrases.fingerprint}
          hint={phrases.fingerprintHint}
          value={draft.authority_fingerprint}
          isLatin
          maxLength={100}
          error={errors.authority_fingerprint}
          onInput={edit("authority_fingerprint")}
        />
        {refusal && (
          <p class="field-error" role="alert">
            {refusal}
          </p>
        )}
        <div class="actions">
          <Button type="submit" kind="primary" icon="lock" needsToken isBusy={isBusy}>
            {phrases.enrolNow}
          </Button>
        </div>
      </form>
    </Panel>
  );
}

function trimmed({ address, code, authority_fingerprint }: Draft): Draft {
  return { address: address.trim(), code: code.trim(), authority_fingerprint: authority_fingerprint.trim() };
}
