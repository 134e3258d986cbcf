import { useState } from "preact/hooks";
import { Button } from "../../design/button.tsx";
import { usePhrases } from "../app.ts";
import { askLocation } from "./phone-location.ts";
import type { Position } from "./places.ts";
import { placesPhrases } from "./places-phrases.ts";

export function LocationButton({ onFound }: { onFound: (position: Position) => void }) {
  const phrases = usePhrases(placesPhrases);
  const [state, setState] = useState<"idle" | "asking" | "denied" | "unknown">("idle");

  async function ask(): Promise<void> {
    setState("asking");
    const answer = await askLocation({
      getCurrentPosition: (found, failed, options) => navigator.geolocation.getCurrentPosition(found, failed, options),
    });
    setState(answer.state === "found" ? "idle" : answer.state);
    if (answer.state === "found") onFound(answer.position);
  }

  return (
    <div>
      <Button icon="compass" isBusy={state === "asking"} onClick={() => void ask()}>
        {state === "asking" ? phrases.asking : phrases.usePhone}
      </Button>
      <p class="field-error" role="status">
        {state === "denied" || state === "unknown" ? phrases[state] : ""}
      </p>
    </div>
  );
}
