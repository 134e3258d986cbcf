import { useEffect, useMemo } from "preact/hooks";
import { readSystem } from "../../app/api/read-system.ts";
import { useApp, usePhrases } from "../../app/app.ts";
import { every } from "../../app/browser/clock.ts";
import { startPoll } from "../../app/live/poll.ts";
import { createResource } from "../../app/live/resource.ts";
import { settingsPhrases } from "../../app/settings/settings-phrases.ts";
import { Subpage } from "../../app/settings/subpage.tsx";
import { ScreenPanel } from "./screen-panel.tsx";
import { SleepPanel } from "./sleep-panel.tsx";
import { SystemPanels } from "./system-panels.tsx";
import "./system.css";

/** The device sends no frames about its memory and uptime, so the page polls them. */
const PERIOD_MS = 10_000;

export function DiagnosticsPage() {
  const { diagnostics } = usePhrases(settingsPhrases);
  const { api, live } = useApp();
  const system = useMemo(() => createResource(() => readSystem(api), live.bootId), [api, live]);
  useEffect(() => startPoll({ page: document, every, periodMs: PERIOD_MS, task: system.refresh }).stop, [system]);
  return (
    <Subpage title={diagnostics}>
      <div class="panels">
        <SystemPanels reading={system.reading.value}>
          <ScreenPanel />
          <SleepPanel />
        </SystemPanels>
      </div>
    </Subpage>
  );
}
