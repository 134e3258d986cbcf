import type { PlaybackStatus } from "@player/service/contract/playback";
import { useMemo, useRef, useState } from "preact/hooks";
import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { after } from "../../app/browser/clock.ts";
import { formatDigits } from "../../app/language/times.ts";
import { fill } from "../../app/language/translations.ts";
import { createThrottle } from "../../app/live/throttle.ts";
import { useTransport } from "../../app/playback/transport.ts";
import { LockSign } from "../../design/button.tsx";
import { Slider } from "../../design/fields.tsx";
import { Icon } from "../../design/icons.tsx";
import { nowPhrases } from "./now-phrases.ts";

/** The device accepts 20 playback commands in 10 s; a dragged slider must leave some to the buttons. */
const GAP_MS = 700;

export function Volume({ status }: { status: PlaybackStatus }) {
  const { live } = useApp();
  const language = useLanguage();
  const phrases = usePhrases(nowPhrases);
  const { setVolume } = useTransport();
  /** The slider's value until the device confirms it. */
  const [wanted, setWanted] = useState<number>();
  const latest = useRef<number | undefined>(undefined);
  const send = useRef(setVolume);
  send.current = setVolume;
  const throttled = useMemo(
    () =>
      createThrottle<number>({
        gapMs: GAP_MS,
        after,
        async send(volume) {
          await send.current(volume);
          if (latest.current === volume) setWanted(undefined);
        },
      }),
    [],
  );
  const most = live.settings.view.value?.max_volume ?? 100;
  const volume = Math.min(most, wanted ?? status.volume);
  const percent = (value: number) => formatDigits(String(value), language);

  return (
    <Slider
      label={phrases.volume}
      value={volume}
      min={0}
      max={most}
      valueText={fill(phrases.percent, { percent: percent(volume) })}
      hint={most < 100 ? fill(phrases.volumeLimit, { percent: percent(most) }) : undefined}
      before={
        <>
          <Icon name="volume" />
          <LockSign />
        </>
      }
      onInput={(value) => {
        latest.current = value;
        setWanted(value);
        throttled(value);
      }}
    />
  );
}
