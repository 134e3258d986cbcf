import { createContext, type ReactNode, use, useCallback, useMemo, useState } from "react";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { useMay } from "../context/app-context.ts";
import { usePhrases } from "../language/language-context.tsx";
import { useMode } from "../mode/use-mode.ts";
import { useNotices } from "../notices/notices.tsx";
import { ApiError, errorWords } from "../server/api-error.ts";
import { type ChangeResult, isPreview } from "../server/server.ts";
import type { Need } from "../session/session.ts";
import { changesPhrases } from "./changes-phrases.ts";
import { RecordDifference } from "./record-difference.tsx";

export interface Changes {
  /** Whether the buttons that change something are shown. */
  mayWrite: boolean;
  /** Why changes are disabled; undefined if they are enabled. */
  reason: string | undefined;
  /**
   * Sends a change. Returns undefined if it was refused (a notice shows why) or only previewed (a dashed card shows the
   * difference to `before`).
   */
  send: <Body>(ask: () => Promise<ChangeResult<Body>>, options?: SendOptions) => Promise<Body | undefined>;
}

export interface SendOptions {
  /** The record before the change, for the preview. */
  before?: object | undefined;
  /** Handles a refusal; then no notice is shown. */
  onRefused?: ((error: ApiError) => boolean) | undefined;
}

interface DisplayedChange {
  before: object;
  after: object;
}

const ChangesContext = createContext<Changes | undefined>(undefined);

function toObject(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

export interface ChangesProviderProps {
  /** Permissions needed for the changes of this page. Without them, the buttons are absent. */
  needs: Need;
  children: ReactNode;
}

/** Sends the changes of a page, and shows the preview that dry_run returns. */
export function ChangesProvider({ needs, children }: ChangesProviderProps) {
  const words = usePhrases(changesPhrases);
  const { notify } = useNotices();
  const mayWrite = useMay(needs);
  const mode = useMode();
  const [preview, setPreview] = useState<DisplayedChange>();

  const send = useCallback<Changes["send"]>(
    async (ask, { before = {}, onRefused } = {}) => {
      try {
        const answer = await ask();
        if (!isPreview(answer)) return answer;
        setPreview({ before, after: toObject(answer.preview) });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (onRefused?.(error)) return undefined;
        // An ended session opens the sign-in dialog instead.
        if (error.status !== 401) notify({ tone: "failed", text: `${words.failed}: ${errorWords(error)}` });
      }
      return undefined;
    },
    [notify, words],
  );
  const changes = useMemo<Changes>(
    () => ({ mayWrite, reason: mode === "dummy" ? words.dummyReason : undefined, send }),
    [mayWrite, mode, words, send],
  );
  return (
    <ChangesContext value={changes}>
      {children}
      <Dialog
        title={words.previewTitle}
        isOpen={preview !== undefined}
        onClose={() => setPreview(undefined)}
        actions={<Button onClick={() => setPreview(undefined)}>{words.close}</Button>}
      >
        <p className="soft">{words.previewText}</p>
        {preview && <RecordDifference {...preview} />}
      </Dialog>
    </ChangesContext>
  );
}

/** A page whose changes need a permission. */
export function withChanges(needs: Need, Content: () => ReactNode) {
  return function ChangingPage() {
    return (
      <ChangesProvider needs={needs}>
        <Content />
      </ChangesProvider>
    );
  };
}

export function useChanges(): Changes {
  const changes = use(ChangesContext);
  if (!changes) throw new Error("useChanges needs a ChangesProvider");
  return changes;
}
