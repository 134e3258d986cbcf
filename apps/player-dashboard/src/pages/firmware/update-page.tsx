import { useApp, usePhrases } from "../../app/app.ts";
import { Subpage } from "../../app/settings/subpage.tsx";
import { Panel } from "../../design/layout.tsx";
import { DownloadForm } from "./download-form.tsx";
import { firmwarePhrases } from "./firmware-phrases.ts";
import { UpdateState } from "./update-state.tsx";
import { UploadForm } from "./upload-form.tsx";
import "./firmware.css";

export function UpdatePage() {
  const { live } = useApp();
  const phrases = usePhrases(firmwarePhrases);
  const isUnderWay = live.ota.value?.in_progress ?? false;
  return (
    <Subpage title={phrases.title}>
      <div class="panels">
        <UpdateState />
        <div class="panels panels-two">
          <Panel title={phrases.fromFile}>
            <UploadForm isUnderWay={isUnderWay} />
          </Panel>
          <div class="panels">
            <Panel title={phrases.fromAddress}>
              <DownloadForm isUnderWay={isUnderWay} />
            </Panel>
            <Panel title={phrases.safe}>
              <ul class="hints">
                {phrases.safeHints.map((hint) => (
                  <li key={hint}>{hint}</li>
                ))}
              </ul>
            </Panel>
          </div>
        </div>
      </div>
    </Subpage>
  );
}
