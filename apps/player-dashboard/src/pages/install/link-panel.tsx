import { useState } from "preact/hooks";
import { encode } from "uqr";
import { useApp, usePhrases } from "../../app/app.ts";
import { Button } from "../../design/button.tsx";
import { Panel } from "../../design/layout.tsx";
import { installPhrases } from "./install-phrases.ts";

/** ISO/IEC 18004: a light border of four modules on each side. */
const QUIET_MODULES = 4;

/**
 * Unlocks another phone, or the page on a home screen, which has a storage of its own. The page draws the link itself:
 * the player serves the token to no page.
 */
export function LinkPanel() {
  const { api, commands, tokens } = useApp();
  const phrases = usePhrases(installPhrases);
  const [isShown, setShown] = useState(false);
  const token = tokens.token.value;

  /** Any request with the token proves that it is still valid. */
  async function show(): Promise<void> {
    if (await commands.run(() => api.get("/rfid/scan"))) setShown(true);
  }

  return (
    <Panel title={phrases.linkTitle}>
      <div class="stack">
        <p class="install-soft">{phrases.linkAbout}</p>
        {isShown && token !== undefined ? (
          <SecretLink link={`${location.origin}/#${token}`} onHide={() => setShown(false)} />
        ) : (
          <div class="actions">
            <Button needsToken onClick={() => void show()}>
              {phrases.linkShow}
            </Button>
          </div>
        )}
      </div>
    </Panel>
  );
}

function SecretLink({ link, onHide }: { link: string; onHide: () => void }) {
  const phrases = usePhrases(installPhrases);
  const [isCopied, setCopied] = useState(false);
  // Browsers write to the clipboard over a secure connection only.
  const clipboard = isSecureContext ? navigator.clipboard : undefined;
  const copy = () =>
    clipboard?.writeText(link).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <>
      <QrCode content={link} label={phrases.linkCode} />
      <p class="install-fingerprint install-link" dir="ltr">
        {link}
      </p>
      <p class="field-hint" role="status">
        {isCopied ? phrases.linkCopied : phrases.linkSecret}
      </p>
      <div class="actions">
        {clipboard && (
          <Button kind="primary" onClick={() => void copy()}>
            {phrases.linkCopy}
          </Button>
        )}
        <Button onClick={onHide}>{phrases.linkHide}</Button>
      </div>
    </>
  );
}

function QrCode({ content, label }: { content: string; label: string }) {
  const { data, size } = encode(content, { border: QUIET_MODULES, ecc: "L" });
  const dark = data.flatMap((line, y) => line.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg class="install-qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <path d={dark.join("")} />
    </svg>
  );
}
