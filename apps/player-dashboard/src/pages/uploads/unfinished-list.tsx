import type { UploadBody } from "@player/service/contract/uploads";
import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { numberWords } from "../../app/language/numbers.ts";
import { fill } from "../../app/language/translations.ts";
import { formatTargetName } from "../../app/uploads/target-name.ts";
import { useUploadQueue } from "../../app/uploads/upload-queue.ts";
import { IconButton } from "../../design/button.tsx";
import { Panel, ProgressBar } from "../../design/layout.tsx";
import { uploadsPhrases } from "./uploads-phrases.ts";

/** Unfinished uploads of an earlier visit or another browser. */
export function UnfinishedList({ uploads }: { uploads: readonly UploadBody[] }) {
  const { api, commands } = useApp();
  const queue = useUploadQueue();
  const language = useLanguage();
  const phrases = usePhrases(uploadsPhrases);
  const own = new Set(queue.items.value.map(({ target }) => formatTargetName(target, language)));
  const left = uploads.filter((upload) => !own.has(formatTargetName(upload, language)));
  if (left.length === 0) return null;
  return (
    <Panel title={phrases.unfinished}>
      <p class="row-aside">{phrases.unfinishedHint}</p>
      <ul class="rows">
        {left.map((upload) => {
          const name = formatTargetName(upload, language);
          const percent = Math.floor((100 * upload.offset) / upload.bytes);
          return (
            <li key={upload.id}>
              <div class="row-words">
                <strong>{name}</strong>
                <ProgressBar percent={percent} label={name} />
                <span class="row-aside">{fill(phrases.arrived, { percent: numberWords(percent, language) })}</span>
              </div>
              <IconButton
                icon="bin"
                label={`${phrases.delete}: ${name}`}
                onClick={() => void commands.run(() => api.remove(`/uploads/${upload.id}`))}
              />
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
