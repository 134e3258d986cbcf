import { useEffect, useRef, useState } from "react";
import { useChanges } from "../../../../app/changes/use-changes.tsx";
import { useApp } from "../../../../app/context/app-context.ts";
import { fill, useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { useMode } from "../../../../app/mode/use-mode.ts";
import { useNotices } from "../../../../app/notices/notices.tsx";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { Button } from "../../../../design/button.tsx";
import { Meter } from "../../../../design/charts/meter.tsx";
import { Dialog } from "../../../../design/dialog.tsx";
import { TextField } from "../../../../design/field.tsx";
import { Facts } from "../../../../design/panel.tsx";
import { useCasesClient } from "../cases-client.ts";
import { casesPhrases } from "../cases-phrases.ts";
import { evidencePhrases } from "./evidence-phrases.ts";
import { canHash, hashFile } from "./file-hash.ts";
import { uploadFile } from "./upload.ts";

/** The hash of the file, computed here; null if the browser cannot, undefined until it is known. */
function useFileHash(file: File): string | null | undefined {
  const [hash, setHash] = useState<string | null>();
  useEffect(() => {
    let isWanted = true;
    const settle = (value: string | null) => isWanted && setHash(value);
    if (canHash(file)) hashFile(file).then(settle, () => settle(null));
    else settle(null);
    return () => {
      isWanted = false;
    };
  }, [file]);
  return hash;
}

export interface AddEvidenceProps {
  caseId: string;
  file: File;
  onClose: () => void;
  onAdded: () => void;
}

/** Adds a file as evidence: only its hash, or with its content. */
export function AddEvidence({ caseId, file, onClose, onAdded }: AddEvidenceProps) {
  const words = { ...usePhrases(casesPhrases), ...usePhrases(evidencePhrases) };
  const numbers = useNumbers();
  const mode = useMode();
  const hash = useFileHash(file);
  const [type, setType] = useState("file");
  const [location, setLocation] = useState("");
  const adding = useAdding({ caseId, file, hash, type, location, onAdded, onClose });
  return (
    <Dialog
      title={words.fileTitle}
      onClose={adding.stop}
      actions={
        <>
          <Button onClick={adding.stop}>{adding.progress === undefined ? words.cancel : words.cancelUpload}</Button>
          <Button disabled={!hash || adding.isBusy} onClick={() => void adding.register()}>
            {words.register}
          </Button>
          <Button
            kind="primary"
            isBusy={adding.isBusy}
            disabled={hash === undefined}
            onClick={() => void adding.upload()}
          >
            {mode === "dry_run" ? words.uploadPreview : words.upload}
          </Button>
        </>
      }
    >
      <div className="cases-form">
        <Facts
          items={[
            { label: words.name, value: <SafeText>{file.name}</SafeText> },
            { label: words.size, value: numbers.bytes(file.size) },
            {
              label: words.hash,
              value: hash === undefined ? fill(words.hashing, { percent: "…" }) : <HashValue hash={hash} />,
            },
          ]}
        />
        <p className="soft">{hash === null ? words.noCrypto : words.registerText}</p>
        <div className="cases-form-pair">
          <TextField
            label={words.type}
            maxLength={100}
            value={type}
            onChange={(event) => setType(event.currentTarget.value)}
          />
          <TextField
            label={words.location}
            maxLength={500}
            value={location}
            onChange={(event) => setLocation(event.currentTarget.value)}
          />
        </div>
        {adding.progress !== undefined && (
          <>
            <p role="status">{fill(words.uploading, { percent: numbers.percent(adding.progress) })}</p>
            <Meter
              label={numbers.percent(adding.progress)}
              total={1}
              parts={[{ key: "sent", value: adding.progress, fill: "var(--accent)" }]}
            />
          </>
        )}
      </div>
    </Dialog>
  );
}

function HashValue({ hash }: { hash: string | null }) {
  const words = usePhrases(evidencePhrases);
  if (hash === null) return words.notHashed;
  return (
    <bdi className="mono case-hash" dir="ltr">
      {hash}
    </bdi>
  );
}

interface EvidenceDraft extends AddEvidenceProps {
  hash: string | null | undefined;
  type: string;
  location: string;
}

function useAdding({ caseId, file, hash, type, location, onAdded, onClose }: EvidenceDraft) {
  const words = usePhrases(evidencePhrases);
  const { server, session } = useApp();
  const client = useCasesClient();
  const { send } = useChanges();
  const { notify } = useNotices();
  const [isBusy, setIsBusy] = useState(false);
  const [progress, setProgress] = useState<number>();
  const stopping = useRef(new AbortController());
  const finish = (text: string | undefined) => {
    setIsBusy(false);
    setProgress(undefined);
    if (text === undefined) return;
    notify({ tone: "ok", text });
    onAdded();
    onClose();
  };
  return {
    isBusy,
    progress,
    stop: () => {
      stopping.current.abort();
      onClose();
    },
    async register() {
      if (!hash) return;
      setIsBusy(true);
      const request = {
        name: file.name,
        evidence_type: type.trim() || "file",
        sha256: hash,
        ...(location.trim() !== "" && { location: location.trim() }),
      };
      const registered = await send(() => client.registerEvidence(caseId, request)).finally(() => setIsBusy(false));
      finish(registered && words.registeredDone);
    },
    async upload() {
      setIsBusy(true);
      setProgress(0);
      stopping.current = new AbortController();
      const { signal } = stopping.current;
      const stored = await send(() =>
        uploadFile({
          server,
          caseId,
          file,
          sha256: hash ?? undefined,
          evidenceType: type.trim(),
          location: location.trim(),
          token: session.readToken(),
          onProgress: setProgress,
          signal,
        }),
      ).catch((error: unknown) => {
        if (!signal.aborted) throw error;
        return undefined;
      });
      finish(stored && fill(words.stored, { sequence: String(stored.ledger.sequence) }));
    },
  };
}
