import { useState } from "react";
import { Link } from "../../../app/address/link.tsx";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { VERDICT_SIGNS, VerdictSign } from "./device-signs.tsx";
import type { Attestation } from "./devices-client.ts";
import { devicesPhrases } from "./devices-phrases.ts";

const MAX_SHOWN = 60;

/** The last attestations from left to right, and the selected one in words. */
export function AttestationStrip({ attestations }: { attestations: readonly Attestation[] }) {
  const words = usePhrases(devicesPhrases);
  const time = useTime();
  const [chosen, setChosen] = useState<string>();
  const shown = attestations.slice(0, MAX_SHOWN).toReversed();
  const one = shown.find(({ id }) => id === chosen) ?? shown.at(-1);
  return (
    <>
      <ol className="devices-strip" aria-label={words.strip} dir="ltr">
        {shown.map(({ id, verdict, kind, at }) => (
          <li key={id}>
            <button
              type="button"
              className={`devices-cell devices-cell-${kind} tone-${VERDICT_SIGNS[verdict][1]}`}
              aria-pressed={id === one?.id}
              aria-label={`${time.dateTime(at)}: ${words.verdicts[verdict]}, ${words.kinds[kind]}`}
              title={`${time.dateTime(at)} · ${words.verdicts[verdict]} · ${words.kinds[kind]}`}
              onClick={() => setChosen(id)}
            />
          </li>
        ))}
      </ol>
      {one && (
        <div className="devices-one">
          <VerdictSign verdict={one.verdict} kind={one.kind} />
          <span className="mono soft">{time.dateTime(one.at)}</span>
          {one.reason !== null && <SafeText>{one.reason}</SafeText>}
          {one.firmware_hash !== null && (
            <Link to="/devices/firmware" search={{ hash: one.firmware_hash }}>
              <SafeText isMono>{`${one.firmware_hash.slice(0, 16)}…`}</SafeText>
            </Link>
          )}
          <span className="soft">{words.kindMeanings[one.kind]}</span>
        </div>
      )}
    </>
  );
}
