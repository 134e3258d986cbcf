import type { MonitoringState } from "@player/service/contract/monitoring";
import { useState } from "preact/hooks";
import { useApp, usePhrases } from "../../app/app.ts";
import { Subpage } from "../../app/settings/subpage.tsx";
import { Loaded } from "../../app/status/loaded.tsx";
import { Button } from "../../design/button.tsx";
import { EmptyState } from "../../design/layout.tsx";
import { AboutPanel } from "./about-panel.tsx";
import { EnrolForm } from "./enrol-form.tsx";
import { monitoringPhrases } from "./monitoring-phrases.ts";
import { type PlatformKeeps, RemovedNote } from "./removed-note.tsx";
import { SentPanel } from "./sent-panel.tsx";
import { StatePanel } from "./state-panel.tsx";
import { useMonitoring } from "./use-monitoring.ts";
import "./monitoring.css";

/** In these states the owner can enrol the device. */
const OPEN: readonly MonitoringState[] = ["off", "expired", "refused"];

export function MonitoringPage() {
  const { tokens } = useApp();
  const phrases = usePhrases(monitoringPhrases);
  return (
    <Subpage title={phrases.title}>
      {tokens.token.value === undefined ? (
        <EmptyState icon="lock" title={phrases.aboutHint}>
          <Button icon="unlock" needsToken onClick={() => void tokens.ask("needed")}>
            {phrases.title}
          </Button>
        </EmptyState>
      ) : (
        <Unlocked />
      )}
    </Subpage>
  );
}

function Unlocked() {
  const { reading, refresh } = useMonitoring();
  const [keeps, setKeeps] = useState<PlatformKeeps>();
  return (
    <Loaded reading={reading} refresh={refresh}>
      {({ status, sent }) => (
        <div class="panels">
          {keeps && status.state === "off" && <RemovedNote keeps={keeps} />}
          <div class="panels panels-two">
            <div class="panels">
              <StatePanel
                status={status}
                onRemoved={(kept) => {
                  setKeeps(kept);
                  void refresh();
                }}
              />
              {OPEN.includes(status.state) && (
                <EnrolForm
                  onEnrolled={() => {
                    setKeeps(undefined);
                    void refresh();
                  }}
                />
              )}
            </div>
            <AboutPanel />
          </div>
          <SentPanel newest={sent} />
        </div>
      )}
    </Loaded>
  );
}
