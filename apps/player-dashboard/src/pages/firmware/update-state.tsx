import type { OtaBody } from "@player/service/contract/ota";
import { useEffect } from "preact/hooks";
import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { readStored, writeStored } from "../../app/browser/browser-storage.ts";
import { updateStatusPhrases } from "../../app/firmware/update-status-phrases.ts";
import { numberWords } from "../../app/language/numbers.ts";
import { fill } from "../../app/language/translations.ts";
import { Icon, type IconName } from "../../design/icons.tsx";
import { Panel, ProgressBar } from "../../design/layout.tsx";
import { firmwarePhrases } from "./firmware-phrases.ts";
import { isBeforeRestart, versionWords } from "./version-words.ts";

/** The version before the update, which the device does not report afterwards. */
const STORAGE_KEY = "update-from";

function chooseLook({ status, in_progress }: OtaBody): { look: string; icon: IconName } {
  if (in_progress) return { look: "busy", icon: "download" };
  if (status === "success") return { look: "well", icon: "check" };
  if (status === "rolled_back") return { look: "noted", icon: "repeat" };
  return status === "failed" ? { look: "hurt", icon: "warning" } : { look: "idle", icon: "check" };
}

/** The status of the update. The device repeats it after each restart, so a result stays until the next update. */
export function UpdateState() {
  const { live } = useApp();
  const phrases = usePhrases(firmwarePhrases);
  const { statuses } = usePhrases(updateStatusPhrases);
  const ota = live.ota.value;
  const version = live.version.value;

  useEffect(() => {
    if (ota && isBeforeRestart(ota)) writeStored(STORAGE_KEY, version);
  }, [ota, version]);

  if (!ota) return <div class="waiting waiting-tall" aria-busy="true" />;
  const { title, meaning } = statuses[ota.status];
  const { look, icon } = chooseLook(ota);
  return (
    <Panel title={phrases.state}>
      <div class={`update update-${look}`}>
        <span class="update-sign">
          <Icon name={icon} />
        </span>
        <div class="stack" role="status">
          <p class="update-title">{title}</p>
          <p>{meaning}</p>
          {!ota.in_progress && ota.error && (
            <p class="row-aside">
              {phrases.reason} <bdi>{ota.error}</bdi>
            </p>
          )}
          <p class="update-version">{versionWords(ota, { from: readStored(STORAGE_KEY), version }, phrases)}</p>
        </div>
      </div>
      {ota.in_progress && <Progress progress={ota.progress} title={title} />}
    </Panel>
  );
}

function Progress({ progress, title }: { progress: number; title: string }) {
  const phrases = usePhrases(firmwarePhrases);
  const language = useLanguage();
  return (
    <div class="update-progress">
      <ProgressBar percent={progress} label={title} />
      <span class="update-percent">{fill(phrases.progress, { percent: numberWords(progress, language) })}</span>
    </div>
  );
}
