import { Upload } from "lucide-react";
import { type DragEvent, useCallback, useMemo, useRef, useState } from "react";
import { useChanges } from "../../../../app/changes/use-changes.tsx";
import { useCommands } from "../../../../app/keys/commands-context.tsx";
import { fill, useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { useListKeys } from "../../../../app/lists/use-list-keys.ts";
import { FailedPart } from "../../../../app/page/page.tsx";
import { useStatusText } from "../../../../app/status/status.tsx";
import { safeText } from "../../../../app/text/safe-text.ts";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../../app/time/time-context.tsx";
import { Button } from "../../../../design/button.tsx";
import type { ListColumn } from "../../../../design/list/column.ts";
import { WindowList } from "../../../../design/list/window-list.tsx";
import { Split } from "../../../../design/split.tsx";
import { EmptyState } from "../../../../design/states.tsx";
import { type CasePage, type Evidence, useCasesClient } from "../cases-client.ts";
import { casesPhrases } from "../cases-phrases.ts";
import { useItemPages } from "../use-item-pages.ts";
import { AddEvidence } from "./add-evidence.tsx";
import { EvidencePane } from "./evidence-pane.tsx";
import { evidencePhrases } from "./evidence-phrases.ts";
import { useProof } from "./proof-card.tsx";

const readKey = (evidence: Evidence) => evidence.id;
const HASH_LETTERS = 16;

/** A file that the user dropped on the tab. */
function useDrop(isEnabled: boolean, onFile: (file: File) => void) {
  const [isOver, setIsOver] = useState(false);
  return {
    isOver,
    handlers: {
      onDragOver: (event: DragEvent) => {
        if (!isEnabled || !event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setIsOver(true);
      },
      onDragLeave: () => setIsOver(false),
      onDrop: (event: DragEvent) => {
        setIsOver(false);
        const file = event.dataTransfer.files[0];
        if (!isEnabled || !file) return;
        event.preventDefault();
        onFile(file);
      },
    },
  };
}

export function EvidenceTab({ page }: { page: CasePage }) {
  const words = { ...usePhrases(casesPhrases), ...usePhrases(evidencePhrases) };
  const time = useTime();
  const numbers = useNumbers();
  const client = useCasesClient();
  const { case: record, files } = page;
  const { id } = record;
  const { mayWrite, reason } = useChanges();
  const canAdd = mayWrite && reason === undefined && record.merged_into === null;
  const [file, setFile] = useState<File>();
  const picker = useRef<HTMLInputElement>(null);
  const pages = useItemPages<Evidence>({
    caseId: id,
    noun: "evidence",
    read: (query, signal) => client.evidence(id, query, signal),
  });
  const keys = useListKeys(pages, readKey, {
    noun: "evidence",
    group: words.evidence,
    onOpen: () => undefined,
    isWithoutSelect: true,
  });
  const { current } = keys;
  const proof = useProof(id, current);
  const drop = useDrop(canAdd, setFile);
  useCommands([
    ...keys.commands,
    ...(mayWrite
      ? [
          {
            id: "evidence.add",
            label: words.addFile,
            group: words.evidence,
            keys: ["v"],
            isEnabled: canAdd,
            reason,
            isInStatusLine: true,
            run: () => picker.current?.click(),
          },
        ]
      : []),
    {
      id: "evidence.prove",
      label: words.prove,
      group: words.evidence,
      keys: ["p"],
      isEnabled: current !== undefined && proof.canProve,
      isInStatusLine: true,
      run: proof.prove,
    },
  ]);
  useStatusText(fill(words.shown, { shown: pages.count, total: pages.total ?? pages.count }));
  const columns = useMemo<ListColumn[]>(
    () => [
      { key: "name", title: words.name, width: "minmax(140px, 1fr)" },
      { key: "type", title: words.type, width: "88px" },
      { key: "hash", title: words.hash, width: "136px" },
      { key: "size", title: words.size, width: "72px", align: "end" },
      { key: "registered", title: words.registered, width: "164px" },
    ],
    [words.name, words.type, words.hash, words.size, words.registered],
  );
  const sizes = useMemo(() => new Map((files ?? []).map((stored) => [stored.id, stored.size_bytes])), [files]);
  const render = useCallback(
    (evidence: Evidence) => {
      const size = sizes.get(evidence.id);
      return (
        <>
          <span className="list-title list-strong">
            <SafeText>{evidence.name}</SafeText>
          </span>
          <span className="list-title soft">
            <SafeText>{evidence.evidence_type}</SafeText>
          </span>
          <bdi className="list-mono" dir="ltr">
            {evidence.sha256?.slice(0, HASH_LETTERS)}
          </bdi>
          <span className="list-mono">{size !== undefined && numbers.bytes(size)}</span>
          <span className="list-mono">{time.dateTime(evidence.created_at)}</span>
        </>
      );
    },
    [sizes, numbers, time],
  );
  return (
    <div className={drop.isOver ? "case-list case-plain case-drop" : "case-list case-plain"} {...drop.handlers}>
      {mayWrite && (
        <div className="cases-bar">
          <Button
            keys={["V"]}
            icon={<Upload />}
            disabled={!canAdd}
            title={reason}
            onClick={() => picker.current?.click()}
          >
            {words.addFile}
          </Button>
          {drop.isOver && <span>{words.dropHere}</span>}
          <input
            ref={picker}
            type="file"
            hidden
            aria-label={words.addFile}
            onChange={(event) => {
              setFile(event.currentTarget.files?.[0]);
              event.currentTarget.value = "";
            }}
          />
        </div>
      )}
      {pages.error !== undefined && pages.count === 0 ? (
        <FailedPart error={pages.error} onRetry={pages.reload} />
      ) : (
        <Split
          paneLabel={words.evidence}
          pane={
            current && (
              <EvidencePane
                key={current.id}
                caseId={id}
                evidence={current}
                file={files?.find((stored) => stored.id === current.id)}
                proof={proof}
                mayWrite={mayWrite && record.merged_into === null}
                onChanged={pages.reload}
                onClose={keys.leave}
              />
            )
          }
          main={
            <WindowList
              label={words.evidence}
              columns={columns}
              pages={pages}
              rowKey={readKey}
              renderRow={render}
              {...keys.list}
              onOpen={() => undefined}
              checkLabel={(evidence) => `${words.select}: ${safeText(evidence.name)}`}
              empty={<EmptyState title={words.empty} text={canAdd ? words.emptyText : undefined} />}
            />
          }
        />
      )}
      {file && <AddEvidence caseId={id} file={file} onClose={() => setFile(undefined)} onAdded={pages.reload} />}
    </div>
  );
}
