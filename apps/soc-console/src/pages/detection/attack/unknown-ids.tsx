import { Link } from "../../../app/address/link.tsx";
import { useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { Drawer } from "../../../design/dialog.tsx";
import type { Coverage } from "./attack-client.ts";
import { attackPhrases } from "./attack-phrases.ts";

export interface UnknownIdsProps {
  unknown: Coverage["unknown"];
  isOpen: boolean;
  onClose: () => void;
}

/** Ids in rules that no matrix contains: revoked, newer than the data, or misspelt. */
export function UnknownIds({ unknown, isOpen, onClose }: UnknownIdsProps) {
  const words = usePhrases(attackPhrases);
  const numbers = useNumbers();
  return (
    <Drawer title={words.unknownTitle} isOpen={isOpen} onClose={onClose} width="s">
      <p className="soft">{words.unknownText}</p>
      <ul className="attack-unknown">
        {unknown.map(({ id, rule_count }) => (
          <li key={id}>
            <SafeText isMono>{id}</SafeText>
            <Link to="/detections" search={{ technique: id }}>
              {numbers.count(rule_count, words.rules)}
            </Link>
          </li>
        ))}
      </ul>
    </Drawer>
  );
}
