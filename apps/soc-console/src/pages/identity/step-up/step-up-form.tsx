import type { SteppedUpBody } from "@soc/service/contract/identity/auth/auth";
import { KeyRound } from "lucide-react";
import { type SubmitEvent, useState } from "react";
import { later, now } from "../../../app/browser/clock.ts";
import { useApp } from "../../../app/context/app-context.ts";
import { fill, usePhrases } from "../../../app/language/language-context.tsx";
import { ApiError, errorWords } from "../../../app/server/api-error.ts";
import { hasSecurityKeys, signWithKey } from "../../../app/session/security-key.ts";
import { useTime } from "../../../app/time/time-context.tsx";
import { Button } from "../../../design/button.tsx";
import { TextField } from "../../../design/field.tsx";
import { requestStepUpOptions, stepUpByCode, stepUpByKey } from "./step-up-client.ts";
import { stepUpPhrases } from "./step-up-phrases.ts";
import "./step-up.css";

export interface StepUpFormProps {
  /** One of the user's factors is a security key. */
  hasKey: boolean;
  onProven: () => void;
}

/** Asks for a code or a key, and refreshes the second factor of the session. */
export function StepUpForm({ hasKey, onProven }: StepUpFormProps) {
  const words = usePhrases(stepUpPhrases);
  const time = useTime();
  const { server, session } = useApp();
  const [code, setCode] = useState("");
  const [trouble, setTrouble] = useState<string>();
  const [isAsking, setIsAsking] = useState(false);

  function spell(error: ApiError): string {
    const seconds = error.retryAfterSeconds ?? 60;
    if (error.status === 429) return fill(words.tooMany, { time: time.time(later(now(), seconds)) });
    if (error.status === 400) return words.wrong;
    return errorWords(error);
  }

  async function prove(request: () => Promise<SteppedUpBody | undefined>): Promise<void> {
    if (isAsking) return;
    setIsAsking(true);
    setTrouble(undefined);
    try {
      const proven = await request();
      if (!proven) return setTrouble(words.notSigned);
      if (proven.token) session.keepToken(proven.token.access_token);
      onProven();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setTrouble(spell(error));
    } finally {
      setIsAsking(false);
    }
  }

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    void prove(() => stepUpByCode(server, code.trim()));
  }

  return (
    <form className="step-up" onSubmit={submit}>
      <TextField
        label={words.code}
        hint={words.codeHint}
        error={trouble}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        required
        minLength={6}
        maxLength={50}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
      />
      <div className="step-up-ways">
        {hasKey && hasSecurityKeys() && (
          <Button
            icon={<KeyRound />}
            onClick={() =>
              void prove(async () => {
                const signed = await signWithKey(await requestStepUpOptions(server));
                return signed && stepUpByKey(server, signed);
              })
            }
          >
            {words.key}
          </Button>
        )}
        <Button kind="primary" type="submit" isBusy={isAsking}>
          {words.confirm}
        </Button>
      </div>
    </form>
  );
}
