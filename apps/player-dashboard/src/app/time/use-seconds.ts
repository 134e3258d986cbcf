import { useEffect, useState } from "preact/hooks";
import { useApp } from "../app.ts";
import { every } from "../browser/clock.ts";
import type { Live } from "../live/live.ts";

/** The device's clock in whole seconds; renders the component again every second. */
export function useSeconds(): number {
  const { live } = useApp();
  const [seconds, setSeconds] = useState(() => readSeconds(live));
  useEffect(() => every(250, () => setSeconds(readSeconds(live))), [live]);
  return seconds;
}

function readSeconds({ deviceNowMs }: Pick<Live, "deviceNowMs">): number {
  return Math.floor(deviceNowMs() / 1000);
}
