import { Button } from "../../design/button.tsx";
import { useApp, usePhrases } from "../app.ts";
import { livePhrases } from "./live-phrases.ts";

/** Told after three seconds without a socket; it goes away by itself. */
export function AwayBanner() {
  const { live } = useApp();
  const phrases = usePhrases(livePhrases);
  return (
    <div class="away" role="status">
      {live.presence.value === "away" && (
        <div class="away-words">
          <p>
            <strong>{phrases.away}</strong> {phrases.awayHint}
          </p>
          <Button onClick={live.tryNow}>{phrases.tryNow}</Button>
        </div>
      )}
    </div>
  );
}
