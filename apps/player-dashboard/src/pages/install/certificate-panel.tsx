import { useEffect, useState } from "preact/hooks";
import { usePhrases } from "../../app/app.ts";
import { useInstall } from "../../app/install/install.ts";
import { Icon } from "../../design/icons.tsx";
import { Panel } from "../../design/layout.tsx";
import { installPhrases } from "./install-phrases.ts";
import { ROOT_ADDRESS, type RootCertificate, readRoot } from "./root-certificate.ts";
import { StepList } from "./step-list.tsx";

export function CertificatePanel({ steps }: { steps: readonly string[] }) {
  const phrases = usePhrases(installPhrases);
  const root = useRoot();
  return (
    <Panel title={phrases.trustTitle}>
      {root?.state === "none" ? <p class="install-soft">{phrases.trustNone}</p> : <Trust root={root} steps={steps} />}
    </Panel>
  );
}

function Trust({ root, steps }: { root: RootCertificate | undefined; steps: readonly string[] }) {
  const phrases = usePhrases(installPhrases);
  // A browser keeps a copy over a trusted connection only.
  const isTrusted = useInstall().copy.value.state === "kept";
  const fingerprint = root?.state === "here" ? root.fingerprint : undefined;
  return (
    <div class="stack">
      {isTrusted && <p class="install-well">{phrases.trustDone}</p>}
      <p class="install-soft">{phrases.trustAbout}</p>
      {root?.state === "unknown" && <p class="install-soft">{phrases.trustUnknown}</p>}
      <a class="button button-primary install-download" href={ROOT_ADDRESS}>
        <Icon name="download" />
        <span>{phrases.download}</span>
      </a>
      <StepList steps={steps} />
      {fingerprint && (
        <div>
          <h3 class="install-label">{phrases.fingerprint}</h3>
          <p class="install-fingerprint" dir="ltr">
            {fingerprint}
          </p>
          <p class="field-hint">{phrases.fingerprintHint}</p>
        </div>
      )}
    </div>
  );
}

function useRoot(): RootCertificate | undefined {
  const [root, setRoot] = useState<RootCertificate>();
  useEffect(() => {
    const digest = isSecureContext ? (bytes: ArrayBuffer) => crypto.subtle.digest("SHA-256", bytes) : undefined;
    void readRoot((address) => fetch(address), digest).then(setRoot);
  }, []);
  return root;
}
