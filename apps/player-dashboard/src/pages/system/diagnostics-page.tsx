import { useEffect, useMemo } from "preact/hooks";
import { usePhrases } from "../../app/app.ts";
import { deadline, every } from "../../app/clock.ts";
import { startPoll } from "../../app/live/poll.ts";
import { settingsPhrases } from "../../app/settings/settings-phrases.ts";
import { Subpage } from "../../app/settings/subpage.tsx";
import { ScreenPanel } from "./screen-panel.tsx";
import { SleepPanel } from "./sleep-panel.tsx";
import { createSystemClient } from "./system-client.ts";
import { SystemPanels } from "./system-panels.tsx";
import { createSystemReadings } from "./system-reading.ts";
import "./system.css";

/** The device says nothing by itself about its memory and how long it has been up. */
const PERIOD_MS = 10_000;

export function DiagnosticsPage() {
  const { diagnostics } = usePhrases(settingsPhrases);
  const readings = useMemo(
    () => createSystemReadings(createSystemClient({ fetch: (path, options) => fetch(path, options), deadline })),
    [],
  );
  useEffect(() => startPoll({ page: document, every, periodMs: PERIOD_MS, task: readings.refresh }).stop, [readings]);
  return (
    <Subpage title={diagnostics}>
      <div class="panels">
        <SystemPanels reading={readings.reading.value}>
          <ScreenPanel />
          <SleepPanel />
        </SystemPanels>
      </div>
    </Subpage>
  );
}
