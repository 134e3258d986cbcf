import { SafeText } from "../text/safe-text-view.tsx";
import "./playbooks.css";

const INDENT = 2;

/** Input or result of a step, unformatted. */
export function StepValue({ value }: { value: unknown }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard.
    <pre className="step-value" dir="ltr" tabIndex={0}>
      <SafeText isMono>{JSON.stringify(value, null, INDENT) ?? ""}</SafeText>
    </pre>
  );
}
