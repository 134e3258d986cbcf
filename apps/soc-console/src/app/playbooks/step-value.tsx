import { SafeText } from "../text/safe-text-view.tsx";
import "./playbooks.css";

const INDENT = 2;

/** What a step got or answered, as it is. */
export function StepValue({ value }: { value: unknown }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key.
    <pre className="step-value" dir="ltr" tabIndex={0}>
      <SafeText isMono>{JSON.stringify(value, null, INDENT) ?? ""}</SafeText>
    </pre>
  );
}
