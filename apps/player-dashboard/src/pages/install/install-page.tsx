import { useState } from "preact/hooks";
import { usePhrases } from "../../app/app.ts";
import { type OfflineCopy, useInstall } from "../../app/install/install.ts";
import { Button } from "../../design/button.tsx";
import { Choice } from "../../design/fields.tsx";
import { PageTitle, Panel } from "../../design/layout.tsx";
import { CertificatePanel } from "./certificate-panel.tsx";
import { installPhrases } from "./install-phrases.ts";
import { LinkPanel } from "./link-panel.tsx";
import { detectPlatform, PLATFORMS } from "./platform.ts";
import { StepList } from "./step-list.tsx";
import "./install.css";

/** How to trust the device's certificate and to put the page on the home screen, in plain steps. */
export function InstallPage() {
  const phrases = usePhrases(installPhrases);
  const { copy, isInstalled } = useInstall();
  const [platform, setPlatform] = useState(() => detectPlatform(navigator.userAgent, navigator.maxTouchPoints > 1));
  return (
    <>
      <PageTitle back={{ to: "/settings", label: phrases.back }}>{phrases.title}</PageTitle>
      <div class="stack">
        <p class="install-about">{phrases.about}</p>
        {isInstalled.value && <p class="install-well">{phrases.installed}</p>}
        <Choice
          label={phrases.platform}
          value={platform}
          options={PLATFORMS.map((value) => ({ value, label: phrases.platforms[value] }))}
          onChange={setPlatform}
        />
        <div class="panels panels-two">
          <CertificatePanel steps={phrases.steps[platform].trust} />
          <AddPanel steps={phrases.steps[platform].add} />
          <LinkPanel />
        </div>
        <Panel title={phrases.copyTitle}>
          <CopyWords copy={copy.value} />
        </Panel>
      </div>
    </>
  );
}

function AddPanel({ steps }: { steps: readonly string[] }) {
  const phrases = usePhrases(installPhrases);
  const offer = useInstall().offer.value;
  return (
    <Panel title={phrases.addTitle}>
      <div class="stack">
        {offer ? (
          <Button kind="primary" icon="download" onClick={() => void offer()}>
            {phrases.addNow}
          </Button>
        ) : (
          <p class="install-soft">{phrases.addAbout}</p>
        )}
        <StepList steps={steps} />
      </div>
    </Panel>
  );
}

function CopyWords({ copy }: { copy: OfflineCopy }) {
  const { copyKept, copyWaiting, copyUnsupported, copyRefused, copyIncomplete } = usePhrases(installPhrases);
  switch (copy.state) {
    case "kept":
      return <p class="install-well">{copyKept}</p>;
    case "waiting":
      return <p class="install-soft">{copyWaiting}</p>;
    case "unsupported":
      return <p class="install-soft">{copyUnsupported}</p>;
    case "incomplete":
      return <p class="install-soft">{copyIncomplete}</p>;
    case "refused":
      return (
        <>
          <p class="install-soft">{copyRefused}</p>
          <p class="field-hint" dir="auto">
            {copy.why}
          </p>
        </>
      );
    default:
      return copy satisfies never;
  }
}
