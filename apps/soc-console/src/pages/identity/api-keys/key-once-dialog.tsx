import { Copy } from "lucide-react";
import { useState } from "react";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { copyText } from "../../../app/text/copy.ts";
import { Button } from "../../../design/button.tsx";
import { Dialog } from "../../../design/dialog.tsx";
import { apiKeysPhrases } from "./api-keys-phrases.ts";

/** The key. It is kept only in the state of the page until this dialog closes, never in the address or in storage. */
export function KeyOnceDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  const words = usePhrases(apiKeysPhrases);
  const [copied, setCopied] = useState<boolean>();
  const copy = () =>
    void copyText(secret).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <Dialog
      title={words.onceTitle}
      // Esc and the backdrop would lose the key permanently.
      onClose={() => undefined}
      actions={
        <>
          <Button icon={<Copy />} onClick={copy}>
            {words.copy}
          </Button>
          <Button kind="primary" onClick={onClose}>
            {words.done}
          </Button>
        </>
      }
    >
      <div className="api-keys-form">
        <p>{words.onceText}</p>
        <output className="api-keys-secret" dir="ltr">
          {secret}
        </output>
        <p className="soft">{words.onceUse}</p>
        {copied !== undefined && (
          <p role="status" className={copied ? "soft" : "field-error"}>
            {copied ? words.copied : words.copyFailed}
          </p>
        )}
      </div>
    </Dialog>
  );
}
