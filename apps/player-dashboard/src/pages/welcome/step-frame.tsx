import type { ComponentChildren } from "preact";
import { usePhrases } from "../../app/app.ts";
import { Button } from "../../design/button.tsx";
import { PageTitle } from "../../design/layout.tsx";
import { welcomePhrases } from "./welcome-phrases.ts";

/** The ways out of a step. */
export interface StepProps {
  onNext: () => void;
  /** Undefined on the first step. */
  onBack: (() => void) | undefined;
}

interface StepFrameProps {
  title: string;
  children: ComponentChildren;
  onBack: (() => void) | undefined;
  /** The step is left by its own buttons when this is undefined. */
  onNext?: (() => void) | undefined;
}

/** One question on one screen. */
export function StepFrame({ title, children, onBack, onNext }: StepFrameProps) {
  const phrases = usePhrases(welcomePhrases);
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <div class="stack">{children}</div>
      <div class="guide-ways">
        {onBack && (
          <Button kind="quiet" icon="back" onClick={onBack}>
            {phrases.back}
          </Button>
        )}
        {onNext && (
          <Button kind="primary" onClick={onNext}>
            {phrases.next}
          </Button>
        )}
      </div>
    </>
  );
}
