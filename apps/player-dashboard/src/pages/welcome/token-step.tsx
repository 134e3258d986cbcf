import { useApp, usePhrases } from "../../app/app.ts";
import { UnlockForm } from "../../app/unlock/unlock-form.tsx";
import { StepFrame, type StepProps } from "./step-frame.tsx";
import { welcomePhrases } from "./welcome-phrases.ts";

export function TokenStep({ onNext, onBack }: StepProps) {
  const { tokens } = useApp();
  const phrases = usePhrases(welcomePhrases);
  // The owner may have used the lock at the top of the page instead.
  const isUnlocked = tokens.token.value !== undefined;

  function proceed(token: string): void {
    tokens.answer(token);
    onNext();
  }

  return (
    <StepFrame title={phrases.tokenTitle} onBack={onBack} onNext={isUnlocked ? onNext : undefined}>
      <p>{phrases.tokenText}</p>
      <UnlockForm onToken={proceed} />
    </StepFrame>
  );
}
