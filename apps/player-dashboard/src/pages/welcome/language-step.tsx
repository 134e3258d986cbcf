import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { directionOf, LANGUAGE_NAMES, type Language } from "../../app/language/language.ts";
import { Button } from "../../design/button.tsx";
import { StepFrame, type StepProps } from "./step-frame.tsx";
import { welcomePhrases } from "./welcome-phrases.ts";

const LANGUAGES: readonly Language[] = ["ar", "en"];

export function LanguageStep({ onNext, onBack }: StepProps) {
  const { choice } = useApp();
  const spoken = useLanguage();
  const phrases = usePhrases(welcomePhrases);
  return (
    <StepFrame title={phrases.languageTitle} onBack={onBack}>
      <p>{phrases.languageText}</p>
      <div class="guide-choices">
        {LANGUAGES.map((language) => (
          <Button
            key={language}
            kind={language === spoken ? "primary" : "plain"}
            onClick={() => {
              choice.speak(language);
              onNext();
            }}
          >
            <bdi lang={language} dir={directionOf(language)}>
              {LANGUAGE_NAMES[language]}
            </bdi>
          </Button>
        ))}
      </div>
    </StepFrame>
  );
}
