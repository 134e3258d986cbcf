import type { NewTotpBody } from "@soc/service/contract/identity/factors/factors";
import { Copy } from "lucide-react";
import { type SubmitEvent, useState } from "react";
import { useApp } from "../../../app/context/app-context.ts";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { isPreview } from "../../../app/server/server.ts";
import { Button } from "../../../design/button.tsx";
import { TextField } from "../../../design/field.tsx";
import { Notice } from "../../../design/states.tsx";
import { confirmTotp, enrolTotp } from "./factors-client.ts";
import { factorsPhrases } from "./factors-phrases.ts";
import { FirstFields, readFirstFields } from "./first-fields.tsx";
import { QrCode } from "./qr-code.tsx";
import { useCopy } from "./recovery-codes.tsx";
import { groupSecret } from "./secret.ts";
import { useAttempt } from "./use-attempt.ts";

export interface AddFactorProps {
  /** The user has no factor yet: adding one requires the password and creates recovery codes. */
  isFirst: boolean;
  /** `codes`: recovery codes, created with the first factor. */
  onAdded: (codes: readonly string[] | null) => void;
  onCancel: () => void;
}

function ShownSecret({ made }: { made: NewTotpBody }) {
  const words = usePhrases(factorsPhrases);
  const copy = useCopy();
  return (
    <>
      <p>{words.scan}</p>
      <div className="factors-scan">
        <QrCode text={made.otpauth_uri} label={words.qr} />
        <div className="factors-secret">
          <p className="field-label">{words.secret}</p>
          <code className="factors-letters" dir="ltr">
            {groupSecret(made.secret)}
          </code>
          <Button size="s" icon={<Copy />} onClick={() => copy(made.secret)}>
            {words.copySecret}
          </Button>
          <Button size="s" kind="ghost" icon={<Copy />} onClick={() => copy(made.otpauth_uri)}>
            {words.copyUri}
          </Button>
        </div>
      </div>
    </>
  );
}

/** Shows the secret of an authenticator app once, and confirms that the app works. */
export function AddApp({ isFirst, onAdded, onCancel }: AddFactorProps) {
  const words = usePhrases(factorsPhrases);
  const { server } = useApp();
  const [made, setMade] = useState<NewTotpBody>();
  const [isPreviewed, setIsPreviewed] = useState(false);
  const [code, setCode] = useState("");
  const { isBusy, trouble, run } = useAttempt();

  function enrol(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    const { name, current_password } = readFirstFields(event.currentTarget);
    run(async () => {
      const answer = await enrolTotp(server, {
        ...(name !== "" && { name }),
        ...(current_password !== undefined && { current_password }),
      });
      if (isPreview(answer)) setIsPreviewed(true);
      else setMade(answer);
    });
  }

  function confirm(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    run(async () => {
      const answer = await confirmTotp(server, made?.id ?? "", code.trim());
      if (isPreview(answer)) setIsPreviewed(true);
      else onAdded(answer.recovery_codes);
    });
  }

  if (isPreviewed) return <Notice tone="waiting">{words.preview}</Notice>;
  return (
    <form className="factors-step" onSubmit={made ? confirm : enrol}>
      {made ? (
        <>
          <ShownSecret made={made} />
          <TextField
            label={words.code}
            hint={words.codeHint}
            error={trouble?.text}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            required
            pattern="[0-9]{6}"
            inputMode="numeric"
            autoComplete="one-time-code"
            className="factors-code"
            dir="ltr"
            autoFocus
          />
        </>
      ) : (
        <FirstFields isFirst={isFirst} nameHint={words.appNameHint} trouble={trouble} />
      )}
      <div className="factors-ways factors-end">
        <Button onClick={onCancel}>{words.cancel}</Button>
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {made ? words.confirm : words.next}
        </Button>
      </div>
    </form>
  );
}
