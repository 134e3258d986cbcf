import { Copy, Printer } from "lucide-react";
import { useState } from "react";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { useNotices } from "../../../app/notices/notices.tsx";
import { copyText } from "../../../app/text/copy.ts";
import { Button } from "../../../design/button.tsx";
import { Checkbox } from "../../../design/field.tsx";
import { factorsPhrases } from "./factors-phrases.ts";

/** Copies the text and reports whether the browser allowed it. */
export function useCopy(): (text: string) => void {
  const words = usePhrases(factorsPhrases);
  const { notify } = useNotices();
  return (text) => {
    void copyText(text).then(
      () => notify({ text: words.copied, tone: "ok", forMs: 3000 }),
      () => notify({ text: words.notCopied, tone: "failed" }),
    );
  };
}

export interface RecoveryCodesProps {
  codes: readonly string[];
  doneLabel: string;
  onDone: () => void;
}

/** Shown once: the user confirms having stored the codes. */
export function RecoveryCodes({ codes, doneLabel, onDone }: RecoveryCodesProps) {
  const words = usePhrases(factorsPhrases);
  const [isKept, setIsKept] = useState(false);
  const copy = useCopy();
  return (
    <div className="factors-step">
      <p>{words.codesText}</p>
      <ol className="factors-codes" dir="ltr">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="factors-ways">
        <Button icon={<Copy />} onClick={() => copy(codes.join("\n"))}>
          {words.copyCodes}
        </Button>
        <Button icon={<Printer />} onClick={() => print()}>
          {words.print}
        </Button>
      </div>
      <Checkbox label={words.kept} checked={isKept} onChange={setIsKept} />
      <div className="factors-ways factors-end">
        <Button kind="primary" disabled={!isKept} onClick={onDone}>
          {doneLabel}
        </Button>
      </div>
    </div>
  );
}
