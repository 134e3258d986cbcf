import { useState } from "preact/hooks";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/layout.tsx";
import { usePhrases } from "../app.ts";
import { adhanPhrases } from "./adhan-phrases.ts";
import { FilePicker } from "./file-picker.tsx";

interface AdhanFileProps {
  label: string;
  dialogTitle: string;
  /** Empty for none. */
  path: string;
  /** What plays without a file. */
  withoutFile: string;
  onChoose: (path: string) => void;
}

/** The current file, with a button to choose another one. */
export function AdhanFile({ label, dialogTitle, path, withoutFile, onChoose }: AdhanFileProps) {
  const phrases = usePhrases(adhanPhrases);
  const [isChoosing, setChoosing] = useState(false);

  function choose(chosen: string): void {
    setChoosing(false);
    onChoose(chosen);
  }

  return (
    <li>
      <div class="row-words">
        <strong>{label}</strong>
        <span class="row-aside" dir="auto">
          {path.split("/").at(-1) || withoutFile}
        </span>
      </div>
      <Button onClick={() => setChoosing(true)}>
        <span class="screen-reader-only">{label}: </span>
        {phrases.change}
      </Button>
      {isChoosing && (
        <Dialog title={dialogTitle} onClose={() => setChoosing(false)}>
          <FilePicker path={path} withoutFile={withoutFile} onChoose={choose} />
        </Dialog>
      )}
    </li>
  );
}
