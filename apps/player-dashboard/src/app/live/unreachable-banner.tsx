import { Button } from "../../design/button.tsx";
import { useApp, usePhrases } from "../app.ts";
import { livePhrases } from "./live-phrases.ts";

/** Told after three seconds without a socket; it goes away by itself. */
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
