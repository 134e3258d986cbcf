import { useLanguage } from "../../app/app.ts";
import { formatDigits } from "../../app/language/times.ts";

/** What to do, one thing after another. */
export function StepList({ steps }: { steps: readonly string[] }) {
  const language = useLanguage();
  return (
    <ol class="steps">
      {steps.map((step, index) => (
        <li key={step} class="step">
          <span class="step-number" aria-hidden="true">
            {formatDigits(String(index + 1), language)}
          </span>
          <span class="step-words">{step}</span>
        </li>
      ))}
    </ol>
  );
}
