import { Link } from "../../../app/address/link.tsx";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { defang } from "../../../app/text/defang.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { Badge, type Tone } from "../../../design/chip.tsx";
import type { CheckedIoc, CheckState } from "./iocs-client.ts";
import { iocsPhrases } from "./iocs-phrases.ts";

const TONES: Readonly<Record<CheckState, Tone>> = { new: "ok", known: "plain", warned: "waiting", refused: "failed" };

/** Each extracted value: its type, and why it would not be stored. */
export function CheckedList({ items }: { items: readonly CheckedIoc[] }) {
  const words = usePhrases(iocsPhrases);
  return (
    <ul className="iocs-checked" aria-label={words.foundList}>
      {items.map(({ given, state, type, value, reason, id }) => (
        <li key={given}>
          <Badge tone={TONES[state]}>{words.checkStates[state]}</Badge>
          <span className="soft">{type && words.types[type]}</span>
          {id === null ? (
            <SafeText isMono>{defang(value ?? given)}</SafeText>
          ) : (
            <Link to={`/indicators/${id}`}>
              <SafeText isMono>{defang(value ?? given)}</SafeText>
            </Link>
          )}
          {reason !== null && (
            <span className="soft">
              <SafeText>{defang(reason)}</SafeText>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
