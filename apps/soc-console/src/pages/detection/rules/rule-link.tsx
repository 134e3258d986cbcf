import { Link } from "../../../app/address/link.tsx";
import { safeText } from "../../../app/text/safe-text.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";

/** A link to a rule, with its name if known. */
export function RuleLink({ rule, className }: { rule: { id: string; name?: string }; className?: string }) {
  return (
    <Link to={`/detections/${rule.id}`} className={className} title={rule.name && safeText(rule.name)}>
      {rule.name === undefined ? <bdi dir="ltr">{rule.id.slice(-6)}</bdi> : <SafeText>{rule.name}</SafeText>}
    </Link>
  );
}
