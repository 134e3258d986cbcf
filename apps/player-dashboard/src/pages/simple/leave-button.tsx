import { useEffect, useRef, useState } from "preact/hooks";
import { usePhrases } from "../../app/app.ts";
import { after, nowMs } from "../../app/browser/clock.ts";
import { Icon } from "../../design/icons.tsx";
import { LeaveDialog } from "./leave-dialog.tsx";
import { createSum, type Sum } from "./leaving-sum.ts";
import { simplePhrases } from "./simple-phrases.ts";

const HOLD_MS = 3000;

/** Leaves after a press of three seconds by finger, mouse or key. A short press asks for a sum instead. */
export function LeaveButton({ onLeave }: { onLeave: () => void }) {
  const { leaveHint } = usePhrases(simplePhrases);
  const [isHeld, setHeld] = useState(false);
  const [sum, setSum] = useState<Sum>();
  const stopHold = useRef<(() => void) | undefined>(undefined);
  const letGo = () => {
    stopHold.current?.();
    stopHold.current = undefined;
    setHeld(false);
  };
  const hold = () => {
    letGo();
    setHeld(true);
    stopHold.current = after(HOLD_MS, onLeave);
  };
  const ask = () => setSum(createSum(nowMs()));
  useEffect(() => () => stopHold.current?.(), []);
  return (
    <footer class="simple-bottom">
      <button
        type="button"
        class="button button-quiet simple-leave"
        data-held={isHeld}
        onPointerDown={hold}
        onPointerUp={letGo}
        onPointerLeave={letGo}
        onPointerCancel={letGo}
        onContextMenu={(event) => event.preventDefault()}
        onKeyDown={(event) => {
          if (!isPress(event.key)) return;
          // Otherwise the key would click the button immediately.
          event.preventDefault();
          if (!event.repeat) hold();
        }}
        onKeyUp={(event) => {
          if (!isPress(event.key) || !stopHold.current) return;
          event.preventDefault();
          letGo();
          ask();
        }}
        onBlur={letGo}
        onClick={ask}
      >
        <Icon name="lock" />
        <span>{leaveHint}</span>
      </button>
      {sum && <LeaveDialog sum={sum} onLeave={onLeave} onStay={() => setSum(undefined)} />}
    </footer>
  );
}

function isPress(key: string): boolean {
  return key === "Enter" || key === " ";
}
