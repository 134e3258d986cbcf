import { SURAH_NAMES, SURAH_NAMES_AR } from "@player/service/contract/surah-names";
import { useLanguage, usePhrases } from "../../app/app.ts";
import { bytesWords } from "../../app/language/bytes.ts";
import { counted } from "../../app/language/numbers.ts";
import { formatDigits } from "../../app/language/times.ts";
import { fill, isolated } from "../../app/language/translations.ts";
import { useUploadQueue } from "../../app/uploads/upload-queue.ts";
import { Button, IconButton } from "../../design/button.tsx";
import { Choice, SelectField, TextField } from "../../design/fields.tsx";
import { Panel } from "../../design/layout.tsx";
import { type Draft, findGap, findTwins, toTarget } from "./draft.ts";
import { ReciterField } from "./reciter-field.tsx";
import { uploadsPhrases } from "./uploads-phrases.ts";

interface DraftListProps {
  drafts: readonly Draft[];
  /** On the card now. */
  reciters: readonly string[];
  onChange: (drafts: readonly Draft[]) => void;
}

/** The chosen files with what they are thought to be, before anything is sent. */
export function DraftList({ drafts, reciters, onChange }: DraftListProps) {
  const queue = useUploadQueue();
  const language = useLanguage();
  const phrases = usePhrases(uploadsPhrases);
  const twins = findTwins(drafts);
  const recitations = drafts.filter(({ kind }) => kind === "recitation");
  const isReady = drafts.every((draft) => findGap(draft) === undefined) && twins.size === 0;
  const [first] = recitations;

  function send(): void {
    for (const draft of drafts) queue.add(draft.file, toTarget(draft));
    onChange([]);
  }

  return (
    <Panel title={phrases.check}>
      <div class="stack">
        <p class="row-aside">{phrases.checkHint}</p>
        {recitations.length > 1 && (
          <ReciterField
            label={phrases.reciterOfAll}
            hint={phrases.reciterHint}
            value={recitations.every(({ reciter }) => reciter === first?.reciter) ? (first?.reciter ?? "") : ""}
            reciters={reciters}
            onInput={(reciter) => onChange(drafts.map((draft) => ({ ...draft, reciter })))}
          />
        )}
        <ul class="drafts">
          {drafts.map((draft) => (
            <DraftRow
              key={draft.key}
              draft={draft}
              reciters={reciters}
              isTwin={twins.has(draft.key)}
              onChange={(changed) => onChange(drafts.map((each) => (each.key === changed.key ? changed : each)))}
              onRemove={() => onChange(drafts.filter(({ key }) => key !== draft.key))}
            />
          ))}
        </ul>
        <div class="actions">
          <Button kind="primary" icon="upload" disabled={!isReady} onClick={send}>
            {counted(drafts.length, phrases.send, language)}
          </Button>
        </div>
      </div>
    </Panel>
  );
}

interface DraftRowProps {
  draft: Draft;
  reciters: readonly string[];
  isTwin: boolean;
  onChange: (draft: Draft) => void;
  onRemove: () => void;
}

function DraftRow({ draft, reciters, isTwin, onChange, onRemove }: DraftRowProps) {
  const language = useLanguage();
  const phrases = usePhrases(uploadsPhrases);
  const { file, kind } = draft;
  const gap = findGap(draft);
  const problem = gap ? phrases.gaps[gap] : isTwin ? phrases.twin : undefined;
  return (
    <li class="draft">
      <div class="draft-head">
        <span class="row-words">
          <strong class="draft-file">
            <bdi>{file.name}</bdi>
          </strong>
          <span class="row-aside">{bytesWords(file.size, language)}</span>
        </span>
        <IconButton icon="close" label={fill(phrases.leaveOut, { file: isolated(file.name) })} onClick={onRemove} />
      </div>
      <div class="draft-fields">
        <Choice
          label={phrases.kind}
          value={kind}
          options={[
            { value: "recitation", label: phrases.recitation },
            { value: "adhan", label: phrases.adhan },
          ]}
          onChange={(chosen) => onChange({ ...draft, kind: chosen })}
        />
        {kind === "adhan" ? (
          <TextField
            label={phrases.name}
            hint={phrases.nameHint}
            value={draft.name}
            maxLength={100}
            onInput={(name) => onChange({ ...draft, name })}
          />
        ) : (
          <>
            <ReciterField
              label={phrases.reciter}
              value={draft.reciter}
              reciters={reciters}
              onInput={(reciter) => onChange({ ...draft, reciter })}
            />
            <SurahField surah={draft.surah} onChange={(surah) => onChange({ ...draft, surah })} />
          </>
        )}
      </div>
      {problem && (
        <p class="field-error" role="status">
          {problem}
        </p>
      )}
    </li>
  );
}

function SurahField({ surah, onChange }: { surah: number; onChange: (surah: number) => void }) {
  const language = useLanguage();
  const phrases = usePhrases(uploadsPhrases);
  const names = language === "ar" ? SURAH_NAMES_AR : SURAH_NAMES;
  const options = names.map((name, at) => ({
    value: String(at + 1),
    label: `${formatDigits(String(at + 1), language)} · ${name}`,
  }));
  return (
    <SelectField
      label={phrases.surah}
      value={String(surah)}
      options={[{ value: "0", label: phrases.noSurah }, ...options]}
      onChange={(chosen) => onChange(Number(chosen))}
    />
  );
}
