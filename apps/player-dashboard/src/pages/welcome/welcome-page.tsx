import type { FunctionComponent } from "preact";
import { useState } from "preact/hooks";
import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { numberWords } from "../../app/language/numbers.ts";
import { fill } from "../../app/language/translations.ts";
import { Button } from "../../design/button.tsx";
import { AdhanStep } from "./adhan-step.tsx";
import { DoneStep } from "./done-step.tsx";
import { finishGuide } from "./guide.ts";
import { LanguageStep } from "./language-step.tsx";
import { PlaceStep } from "./place-step.tsx";
import type { StepProps } from "./step-frame.tsx";
import { type Step, shiftStep, stepsFor } from "./steps.ts";
import { TimeStep } from "./time-step.tsx";
import { TokenStep } from "./token-step.tsx";
import { welcomePhrases } from "./welcome-phrases.ts";
import { WifiStep } from "./wifi-step.tsx";
import "./welcome.css";

const COMPONENTS: Readonly<Record<Step, FunctionComponent<StepProps>>> = {
  language: LanguageStep,
  token: TokenStep,
  wifi: WifiStep,
  place: PlaceStep,
  time: TimeStep,
  adhan: AdhanStep,
  done: DoneStep,
};

/** From the first start to the first adhan, one question at a time. */
export function WelcomePage() {
  const { live, tokens, navigation } = useApp();
  const phrases = usePhrases(welcomePhrases);
  const [steps] = useState(() => {
    const hasWifi = live.settings.view.value?.wifi_connected !== false;
    return stepsFor({ hasToken: tokens.token.value !== undefined, hasWifi });
  });
  const [step, setStep] = useState<Step>("language");
  const StepComponent = COMPONENTS[step];

  function go(distance: number): void {
    setStep(shiftStep(steps, step, distance));
    window.scrollTo(0, 0);
  }

  function skip(): void {
    finishGuide();
    navigation.go("/");
  }

  return (
    <div class="guide">
      <Progress steps={steps} step={step} />
      <StepComponent key={step} onNext={() => go(1)} onBack={step === "language" ? undefined : () => go(-1)} />
      {step !== "done" && (
        <div class="guide-skip">
          <Button kind="quiet" onClick={skip}>
            {phrases.skip}
          </Button>
        </div>
      )}
    </div>
  );
}

function Progress({ steps, step }: { steps: readonly Step[]; step: Step }) {
  const language = useLanguage();
  const { progress } = usePhrases(welcomePhrases);
  const at = steps.indexOf(step);
  return (
    <div class="guide-progress">
      <span class="row-aside">
        {fill(progress, { step: numberWords(at + 1, language), all: numberWords(steps.length, language) })}
      </span>
      <span class="guide-dots" aria-hidden="true">
        {steps.map((each, index) => (
          <span key={each} class={index <= at ? "guide-dot guide-dot-done" : "guide-dot"} />
        ))}
      </span>
    </div>
  );
}
