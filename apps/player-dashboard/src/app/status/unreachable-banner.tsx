import { Button } from "../../design/button.tsx";
import { useApp, usePhrases } from "../app.ts";
import { livePhrases } from "./live-phrases.ts";

/** Appears after three seconds without a socket, and disappears when the device is back. */
export function UnreachableBanner() {
  const { live } = useApp();
  const phrases = usePhrases(livePhrases);
  return (
    <div class="unreachable" role="status">
      {live.presence.value === "unreachable" && (
        <div class="unreachable-words">
          <p>
            <strong>{phrases.unreachable}</strong> {phrases.unreachableHint}
          </p>
          <Button onClick={live.tryNow}>{phrases.tryNow}</Button>
        </div>
      )}
    </div>
  );
}
