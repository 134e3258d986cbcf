import { usePhrases } from "../../../app/language/language-context.tsx";
import { useNotices } from "../../../app/notices/notices.tsx";
import { copyText } from "../../../app/text/copy.ts";
import { Button } from "../../../design/button.tsx";
import { Dialog } from "../../../design/dialog.tsx";
import { ledgerPhrases } from "./ledger-phrases.ts";

const COMMAND = "manara-soc verify ledger-<case>.json";

/** Explains the offline verifier and its command line. */
export function OfflineDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const words = usePhrases(ledgerPhrases);
  const { notify } = useNotices();
  const copy = async () => {
    await copyText(COMMAND);
    notify({ tone: "ok", text: words.tool.copied });
  };
  return (
    <Dialog
      title={words.offline}
      isOpen={isOpen}
      onClose={onClose}
      actions={<Button onClick={onClose}>{words.close}</Button>}
    >
      <div className="ledger-tool">
        <p>{words.tool.text}</p>
        <p>{words.tool.run}</p>
        <div className="ledger-command">
          <code dir="ltr">{COMMAND}</code>
          <Button size="s" onClick={() => void copy()}>
            {words.tool.copy}
          </Button>
        </div>
        <ul className="ledger-steps">
          <li>{words.tool.key}</li>
          <li>{words.tool.witness}</li>
          <li>{words.tool.codes}</li>
        </ul>
      </div>
    </Dialog>
  );
}
