import { useQuery } from "@tanstack/react-query";
import { KeyRound, LogOut, Smartphone } from "lucide-react";
import { useEffect, useState } from "react";
import { useApp, useMe } from "../../../app/context/app-context.ts";
import { fill, usePhrases } from "../../../app/language/language-context.tsx";
import { ApiError } from "../../../app/server/api-error.ts";
import { hasSecurityKeys } from "../../../app/session/security-key.ts";
import { Button } from "../../../design/button.tsx";
import { Mark } from "../../../design/mark.tsx";
import { ErrorState, Skeleton } from "../../../design/states.tsx";
import { readMe } from "../sign-in/auth-client.ts";
import { AddApp } from "./add-app.tsx";
import { AddKey } from "./add-key.tsx";
import { FACTORS_KEY, readFactors } from "./factors-client.ts";
import { factorsPhrases } from "./factors-phrases.ts";
import { RecoveryCodes } from "./recovery-codes.tsx";
import "./factors.css";

type Step = { what: "choose" } | { what: "app" | "key" } | { what: "codes"; codes: readonly string[] };

/** Adds the first factor; calls `onReady` when the console can open. */
function FirstFactor({ onReady }: { onReady: () => void }) {
  const words = usePhrases(factorsPhrases);
  const { role } = useMe();
  const [step, setStep] = useState<Step>({ what: "choose" });
  const choose = () => setStep({ what: "choose" });
  if (step.what === "codes")
    return (
      <>
        <p>{words.dutyAfter}</p>
        <RecoveryCodes codes={step.codes} doneLabel={words.enter} onDone={onReady} />
      </>
    );
  if (step.what !== "choose") {
    const Add = step.what === "app" ? AddApp : AddKey;
    const add = (codes: readonly string[] | null) => (codes === null ? onReady() : setStep({ what: "codes", codes }));
    return <Add isFirst onAdded={add} onCancel={choose} />;
  }
  return (
    <>
      <p>{fill(words.dutyText, { role })}</p>
      <div className="factors-choices">
        <Button kind="primary" icon={<Smartphone />} onClick={() => setStep({ what: "app" })}>
          {words.addApp}
        </Button>
        {hasSecurityKeys() && (
          <Button icon={<KeyRound />} onClick={() => setStep({ what: "key" })}>
            {words.addKey}
          </Button>
        )}
      </div>
    </>
  );
}

export interface FactorDutyPageProps {
  /** Asks for an existing factor, then calls back. */
  renderStepUp: (hasKey: boolean, onProven: () => void) => React.ReactNode;
}

/** Shown instead of the console while the service requires a second factor. */
export function FactorDutyPage({ renderStepUp }: FactorDutyPageProps) {
  const words = usePhrases(factorsPhrases);
  const { server, session } = useApp();
  const { data, error, refetch } = useQuery({
    queryKey: FACTORS_KEY,
    queryFn: ({ signal }) => readFactors(server, signal),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: "always",
  });
  useEffect(() => {
    document.title = `${words.dutyTitle} · Manara SOC`;
  }, [words]);
  const enter = () => void readMe(server).then(session.begin);
  const signOut = () => void server.post("/auth/logout").then(session.leave);
  return (
    <div className="factors-duty">
      <main className="factors-duty-main">
        <Mark />
        <h1 className="title">{words.dutyTitle}</h1>
        {data && data.items.length > 0 && (
          <>
            <p>{words.dutyShow}</p>
            {renderStepUp(
              data.items.some(({ kind }) => kind === "webauthn"),
              enter,
            )}
          </>
        )}
        {data?.items.length === 0 && <FirstFactor onReady={enter} />}
        {!data &&
          (error instanceof ApiError ? (
            <ErrorState
              title={words.failed}
              text={error.message}
              requestId={error.requestId}
              retryLabel={words.retry}
              onRetry={() => void refetch()}
            />
          ) : (
            <Skeleton rows={2} />
          ))}
      </main>
      <Button kind="ghost" size="s" icon={<LogOut />} onClick={signOut}>
        {words.signOut}
      </Button>
    </div>
  );
}
