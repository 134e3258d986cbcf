import { useState } from "preact/hooks";
import { sendBody } from "../../app/api/send-body.ts";
import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { bytesWords } from "../../app/language/bytes.ts";
import { fill } from "../../app/language/translations.ts";
import { FileField } from "../../app/settings/file-field.tsx";
import { Button } from "../../design/button.tsx";
import { ProgressBar } from "../../design/layout.tsx";
import { firmwarePhrases } from "./firmware-phrases.ts";

/** The device itself gives up after 15 minutes. */
const TIMEOUT_MS = 16 * 60_000;

export function UploadForm({ isUnderWay }: { isUnderWay: boolean }) {
  const { commands, tokens } = useApp();
  const phrases = usePhrases(firmwarePhrases);
  const [file, setFile] = useState<File>();
  /** Undefined while nothing is being sent. */
  const [sentBytes, setSentBytes] = useState<number>();

  async function send(bundle: File): Promise<void> {
    const isDone = await commands.run(() => {
      setSentBytes(0);
      return sendBody(() => new XMLHttpRequest(), {
        path: "/api/ota/upload",
        body: bundle,
        token: tokens.token.value,
        timeoutMs: TIMEOUT_MS,
        onSent: setSentBytes,
      });
    });
    setSentBytes(undefined);
    if (isDone) setFile(undefined);
  }

  const isSending = sentBytes !== undefined;
  return (
    <div class="stack">
      <p>{phrases.fromFileHint}</p>
      <FileField
        label={phrases.file}
        hint={phrases.fileHint}
        accept=".raucb"
        chosen={file?.name}
        disabled={isSending}
        onChoose={setFile}
      />
      {file && isSending && <Sending sentBytes={sentBytes} totalBytes={file.size} />}
      <div class="actions">
        <Button
          kind="primary"
          icon="upload"
          needsToken
          isBusy={isSending}
          disabled={isUnderWay || !file}
          onClick={() => file && void send(file)}
        >
          {phrases.send}
        </Button>
      </div>
    </div>
  );
}

function Sending({ sentBytes, totalBytes }: { sentBytes: number; totalBytes: number }) {
  const phrases = usePhrases(firmwarePhrases);
  const language = useLanguage();
  // A browser counts its own headers too.
  const sent = Math.min(sentBytes, totalBytes);
  const words =
    sent === totalBytes
      ? phrases.arrived
      : fill(phrases.sending, { sent: bytesWords(sent, language), total: bytesWords(totalBytes, language) });
  return (
    <div class="stack">
      <ProgressBar percent={totalBytes > 0 ? (100 * sent) / totalBytes : 100} label={phrases.send} />
      <p>{words}</p>
    </div>
  );
}
