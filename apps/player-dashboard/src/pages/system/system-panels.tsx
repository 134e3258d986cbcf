import type { ComponentChildren } from "preact";
import { useApp, usePhrases } from "../../app/app.ts";
import { Readings } from "./readings.tsx";
import { StartUp } from "./start-up.tsx";
import { Summary } from "./summary.tsx";
import { systemPhrases } from "./system-phrases.ts";
import { lastSystemOf, type SystemReading } from "./system-reading.ts";
import { awayWords } from "./words.ts";

/** What stands beside the readings on a wide page comes after them on a narrow one. */
export function SystemPanels({ reading, children }: { reading: SystemReading; children: ComponentChildren }) {
  const phrases = usePhrases(systemPhrases);
  const { live } = useApp();
  const system = lastSystemOf(reading);
  return (
    <>
      {/* A device that is away altogether is told of above every page. */}
      {reading.state === "away" && live.presence.value !== "away" && (
        <p class="news news-hurt" role="status">
          <strong>{awayWords(reading.error, phrases)}</strong> {system && phrases.lastKnown}
        </p>
      )}
      <Summary system={system} phrases={phrases} />
      <div class="panels panels-two">
        <div class="panels">
          <StartUp system={system} phrases={phrases} />
          <Readings system={system} phrases={phrases} />
        </div>
        <div class="panels">{children}</div>
      </div>
    </>
  );
}
