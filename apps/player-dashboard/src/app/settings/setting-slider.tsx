import { useState } from "preact/hooks";
import { Slider, type SliderProps } from "../../design/fields.tsx";
import { after } from "../browser/clock.ts";
import { createThrottle } from "../live/throttle.ts";

/** A held arrow key changes the value 30 times a second; the device takes 30 changes in 10 seconds. */
const GAP_MS = 500;

/** A slider that sends its value to the device when it is released. */
export function SettingSlider({
  value,
  formatValue,
  save,
  ...rest
}: Omit<SliderProps, "onInput" | "onChange" | "valueText"> & {
  formatValue: (value: number) => string;
  save: (value: number) => Promise<unknown>;
}) {
  const [dragged, setDragged] = useState<number>();
  const [throttled] = useState(() => {
    const send = async (wanted: number) => {
      await save(wanted);
      setDragged((now) => (now === wanted ? undefined : now));
    };
    return createThrottle<number>({ gapMs: GAP_MS, after, send });
  });
  const shown = dragged ?? value;
  return <Slider {...rest} value={shown} valueText={formatValue(shown)} onInput={setDragged} onChange={throttled} />;
}
