import type { PlaybackStatus } from "@player/service/contract/playback";
import { useState } from "preact/hooks";
import { usePhrases } from "../../app/app.ts";
import { useTransport } from "../../app/playback/transport.ts";
import { Choice } from "../../design/fields.tsx";
import { nowPhrases } from "./now-phrases.ts";

type AdvanceMode = PlaybackStatus["advance_mode"];

/** What happens at the end of the surah. */
export function AfterEnd({ status }: { status: PlaybackStatus }) {
  const phrases = usePhrases(nowPhrases);
  const { setAdvance } = useTransport();
  /** Also set while the token is requested; reverts without it. */
  const [wanted, setWanted] = useState<AdvanceMode>();
  const isHifz = status.advance_mode.startsWith("hifz");
  return (
    <Choice<AdvanceMode>
      label={phrases.advance}
      hint={isHifz ? phrases.advanceHifz : undefined}
      value={wanted ?? status.advance_mode}
      options={[
        { value: "off", label: phrases.advanceOff },
        { value: "continuous", label: phrases.advanceContinuous },
        { value: "repeat_one", label: phrases.advanceRepeat },
      ]}
      onChange={(mode) => {
        setWanted(mode);
        void setAdvance(mode).then(() => setWanted(undefined));
      }}
    />
  );
}
