import type { SystemBody } from "@player/service/contract/system";
import type { ComponentChildren } from "preact";
import { useApp, usePhrases } from "../../app/app.ts";
import { lastOf, type Reading } from "../../app/live/resource.ts";
import { Readings } from "./readings.tsx";
import { StartUp } from "./start-up.tsx";
import { Summary } from "./summary.tsx";
import { systemPhrases } from "./system-phrases.ts";
import { failedReadingWords } from "./words.ts";

/** `children` are shown next to the readings on a wide page, and below them on a narrow one. */
export function SystemPanels({ reading, children }: { reading: Reading<SystemBody>; children: ComponentChildren }) {
  const phrases = usePhrases(systemPhrases);
  const { live } = useApp();
  const system = lastOf(reading);
  return (
    <>
      {/* The banner above every page reports a device that cannot be reached at all. */}
      {reading.state === "failed" && live.presence.value !== "unreachable" && (
        <p class="news news-hurt" role="status">
          <strong>{failedReadingWords(reading.error, phrases)}</strong> {system && phrases.lastKnown}
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
