import { KeyRound, Pencil, Smartphone, Trash2 } from "lucide-react";
import { fill, usePhrases } from "../../../app/language/language-context.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { IconButton } from "../../../design/button.tsx";
import { Badge } from "../../../design/chip.tsx";
import type { Factor } from "./factors-client.ts";
import { factorsPhrases } from "./factors-phrases.ts";

export interface FactorRowProps {
  factor: Factor;
  /** Undefined if factors cannot be changed. */
  onRename: (() => void) | undefined;
  onRemove: (() => void) | undefined;
}

export function FactorRow({ factor, onRename, onRemove }: FactorRowProps) {
  const words = usePhrases(factorsPhrases);
  const time = useTime();
  const { kind, name, created_at, last_used_at, is_passkey, cloned_at } = factor;
  const used = last_used_at === null ? words.neverUsed : fill(words.used, { time: time.relative(last_used_at) });
  return (
    <li className="factors-row">
      <span className="factors-icon">{kind === "totp" ? <Smartphone size={16} /> : <KeyRound size={16} />}</span>
      <div className="factors-what">
        <p className="factors-name">
          <SafeText>{name}</SafeText>
          <Badge tone="plain">{kind === "totp" ? words.app : is_passkey ? words.passkey : words.key}</Badge>
        </p>
        <p className="factors-note">
          {fill(words.added, { time: time.day(created_at) })} · {used}
        </p>
        {cloned_at !== null && <p className="field-error">{words.cloned}</p>}
      </div>
      {onRename && <IconButton label={`${words.rename}: ${name}`} icon={<Pencil />} onClick={onRename} />}
      {onRemove && <IconButton label={`${words.remove}: ${name}`} icon={<Trash2 />} onClick={onRemove} />}
    </li>
  );
}
