import type { UploadsBody } from "@player/service/contract/uploads";
import { useMemo, useState } from "preact/hooks";
import { useApp, useLanguage, usePhrases, useResource } from "../../app/app.ts";
import { bytesWords } from "../../app/language/bytes.ts";
import { commonPhrases } from "../../app/language/common-phrases.ts";
import { fill } from "../../app/language/translations.ts";
import { createResource, lastOf } from "../../app/live/resource.ts";
import { Loaded } from "../../app/status/loaded.tsx";
import { readDigest } from "../../app/uploads/digest.ts";
import { buildFingerprint } from "../../app/uploads/fingerprint.ts";
import { Button } from "../../design/button.tsx";
import { EmptyState, PageTitle, Panel } from "../../design/layout.tsx";
import { CardFiles } from "./card-files.tsx";
import { buildDraft, type Draft } from "./draft.ts";
import { DraftList } from "./draft-list.tsx";
import { FileDrop } from "./file-drop.tsx";
import { QueueList } from "./queue-list.tsx";
import { UnfinishedList } from "./unfinished-list.tsx";
import { uploadsPhrases } from "./uploads-phrases.ts";
import "./uploads.css";

const ADHAN_PATH = "/uploads/adhan";

/** Adds files from this phone or computer to the memory card. `/uploads/adhan` starts with an adhan. */
export function UploadsPage() {
  const { navigation, tokens } = useApp();
  const phrases = usePhrases(uploadsPhrases);
  const { library, prayer } = usePhrases(commonPhrases);
  const isAdhan = navigation.path.value === ADHAN_PATH;
  const back = isAdhan ? { to: "/prayer", label: prayer } : { to: "/library", label: library };
  return (
    <>
      <PageTitle back={back}>{isAdhan ? phrases.adhanTitle : phrases.title}</PageTitle>
      {tokens.token.value === undefined ? <Locked /> : <Uploads kind={isAdhan ? "adhan" : "recitation"} />}
    </>
  );
}

function Locked() {
  const { tokens } = useApp();
  const phrases = usePhrases(uploadsPhrases);
  return (
    <EmptyState icon="lock" title={phrases.locked}>
      <p>{phrases.lockedHint}</p>
      <Button kind="primary" icon="unlock" onClick={() => void tokens.ask("needed")}>
        {phrases.unlock}
      </Button>
    </EmptyState>
  );
}

function Uploads({ kind }: { kind: Draft["kind"] }) {
  const { api, live, commands } = useApp();
  const resource = useMemo(
    () => createResource(() => commands.unlocked(() => api.get<UploadsBody>("/uploads")), live.uploadsRevision),
    [api, live, commands],
  );
  const reading = useResource(resource);
  return (
    <Loaded reading={reading} refresh={resource.refresh}>
      {(body) => <Page key={kind} kind={kind} body={body} />}
    </Loaded>
  );
}

function Page({ kind, body }: { kind: Draft["kind"]; body: UploadsBody }) {
  const { live } = useApp();
  const reciters = (lastOf(useResource(live.reciters))?.reciters ?? []).map(({ name }) => name);
  const [drafts, setDrafts] = useState<readonly Draft[]>([]);

  async function choose(files: readonly File[]): Promise<void> {
    const digest = readDigest();
    const context = { kind, reciters, unfinished: body.uploads };
    const added: Draft[] = [];
    for (const file of files) {
      const fingerprint = await buildFingerprint(file, digest).catch(() => "");
      added.push(buildDraft(added.length, file, fingerprint, context));
    }
    setDrafts((former) => {
      const next = 1 + Math.max(0, ...former.map(({ key }) => key));
      return [...former, ...added.map((draft) => ({ ...draft, key: next + draft.key }))];
    });
  }

  return (
    <div class="stack uploads">
      {body.card === "ready" ? (
        <ChooseFiles freeBytes={body.free_bytes} onChoose={(files) => void choose(files)} />
      ) : (
        <NoWay card={body.card} />
      )}
      {drafts.length > 0 && <DraftList drafts={drafts} reciters={reciters} onChange={setDrafts} />}
      <QueueList />
      <UnfinishedList uploads={body.uploads} />
      {body.card !== "missing" && <CardFiles />}
    </div>
  );
}

function ChooseFiles({ freeBytes, onChoose }: { freeBytes: number; onChoose: (files: readonly File[]) => void }) {
  const language = useLanguage();
  const phrases = usePhrases(uploadsPhrases);
  return (
    <Panel title={phrases.choose}>
      <FileDrop onChoose={onChoose} />
      <p class="row-aside">{fill(phrases.room, { size: bytesWords(freeBytes, language) })}</p>
    </Panel>
  );
}

function NoWay({ card }: { card: "read_only" | "missing" }) {
  const phrases = usePhrases(uploadsPhrases);
  const [title, hint] =
    card === "missing" ? [phrases.noCard, phrases.noCardHint] : [phrases.readOnly, phrases.readOnlyHint];
  return (
    <EmptyState icon="card" title={title}>
      <p>{hint}</p>
    </EmptyState>
  );
}
