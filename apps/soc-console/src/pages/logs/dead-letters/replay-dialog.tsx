import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useApp } from "../../../app/context/app-context.ts";
import { fill, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { useNotices } from "../../../app/notices/notices.tsx";
import { FailedPart } from "../../../app/page/page.tsx";
import { ApiError, errorWords } from "../../../app/server/api-error.ts";
import type { Server } from "../../../app/server/server.ts";
import { Button } from "../../../design/button.tsx";
import { Meter } from "../../../design/charts/meter.tsx";
import { Dialog } from "../../../design/dialog.tsx";
import { listDeadLetters, replayDeadLetter } from "./dead-letters-client.ts";
import { deadLettersPhrases } from "./dead-letters-phrases.ts";
import { replayMany } from "./replay-many.ts";

const MAX_REPLAYED = 1000;
const PAGE_ROWS = 200;

/** The ids of all dead letters, newest first. */
async function readAllIds(server: Server, signal: AbortSignal): Promise<readonly string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listDeadLetters(server, { limit: PAGE_ROWS, cursor }, signal);
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined && ids.length < MAX_REPLAYED);
  return ids.slice(0, MAX_REPLAYED);
}

/** A rejection of this event. An unreachable service or a rate limit concerns all events. */
function findReason(error: unknown): string | undefined {
  const isOfEvent = error instanceof ApiError && [400, 404, 409].includes(error.status);
  return isOfEvent ? errorWords(error) : undefined;
}

export interface ReplayDialogProps {
  /** Undefined for all. */
  ids: readonly string[] | undefined;
  onClose: () => void;
  onDone: () => void;
}

/** Confirms a bulk replay with the exact current count of the service. */
export function ReplayDialog({ ids: chosen, onClose, onDone }: ReplayDialogProps) {
  const words = usePhrases(deadLettersPhrases);
  const numbers = useNumbers();
  const { server } = useApp();
  const found = useQuery({
    queryKey: ["dead-letters", "all-ids"],
    queryFn: ({ signal }) => readAllIds(server, signal),
    enabled: chosen === undefined,
    staleTime: 0,
    gcTime: 0,
  });
  const ids = chosen ?? found.data;
  const { done, isRunning, run, stop } = useReplayRun(() => {
    onDone();
    onClose();
  });
  const count = ids ? numbers.count(ids.length, words.letters) : words.counting;
  const progress = fill(words.progress, {
    done: numbers.number(done),
    total: numbers.number(ids?.length ?? 0),
  });
  return (
    <Dialog
      title={fill(words.replayTitle, { count })}
      onClose={isRunning ? stop : onClose}
      width="s"
      actions={
        isRunning ? (
          <Button onClick={stop}>{words.stop}</Button>
        ) : (
          <>
            <Button onClick={onClose}>{words.cancel}</Button>
            <Button kind="primary" disabled={!ids || ids.length === 0} onClick={() => ids && run(ids)}>
              {count}
            </Button>
          </>
        )
      }
    >
      <p>{words.replayText}</p>
      {ids?.length === MAX_REPLAYED && <p className="soft">{words.maxText}</p>}
      {found.error && <FailedPart error={found.error} onRetry={() => void found.refetch()} />}
      {isRunning && ids && (
        <>
          <p role="status">{progress}</p>
          <Meter label={progress} total={ids.length} parts={[{ key: "done", value: done, fill: "var(--accent)" }]} />
        </>
      )}
    </Dialog>
  );
}

function useReplayRun(onEnd: () => void) {
  const words = usePhrases(deadLettersPhrases);
  const numbers = useNumbers();
  const { server } = useApp();
  const { notify } = useNotices();
  const [done, setDone] = useState(0);
  const [isRunning, setIsRunning] = useState(false);
  const stopping = useRef(new AbortController());
  const run = (ids: readonly string[]) => {
    stopping.current = new AbortController();
    setIsRunning(true);
    const deps = {
      replay: (id: string) => replayDeadLetter(server, id),
      findReason,
      onProgress: setDone,
      signal: stopping.current.signal,
    };
    void replayMany(ids, deps)
      .then(({ stored, refused, reason }) => {
        const text = [
          numbers.count(stored, words.stored),
          refused > 0 && numbers.count(refused, words.refused),
          reason,
        ].filter(Boolean);
        notify({ tone: refused > 0 ? "failed" : "ok", text: text.join(" ") });
      })
      .catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        if (error.status !== 401) notify({ tone: "failed", text: errorWords(error) });
      })
      .finally(onEnd);
  };
  return { done, isRunning, run, stop: () => stopping.current.abort() };
}
