import { createContext, type ReactNode, use, useCallback, useMemo, useState } from "react";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { useMode } from "../../../app/mode/use-mode.ts";
import { useNotices } from "../../../app/notices/notices.tsx";
import { ApiError } from "../../../app/server/api-error.ts";
import { useMay } from "../../../app/session/use-session.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { Button } from "../../../design/button.tsx";
import { Dialog } from "../../../design/dialog.tsx";
import { type Changed, isPreview } from "./cases-client.ts";
import { casesPhrases } from "./cases-phrases.ts";
import { showValue } from "./conflict.ts";

export interface Changes {
  /** Whether the buttons of changes are shown. */
  mayWrite: boolean;
  /** Why a change is refused beforehand; undefined when it is not. */
  reason: string | undefined;
  /**
   * Sends a change. The result is undefined when it was refused (a notice says why) or only previewed (a dashed card
   * shows the difference to `before`).
   */
  send: <Body>(ask: () => Promise<Changed<Body>>, options?: SendOptions) => Promise<Body | undefined>;
}

export interface SendOptions {
  /** The record as it was, for the preview. */
  before?: object | undefined;
  /** Handles a refusal itself: then no notice is shown. */
  onRefused?: ((error: ApiError) => boolean) | undefined;
}

interface Shown {
  before: object;
  after: object;
}

const ChangesContext = createContext<Changes | undefined>(undefined);

function toObject(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}

/** Sends the changes of a page of cases, and shows what dry_run answers instead. */
export function ChangesProvider({ children }: { children: ReactNode }) {
  const words = usePhrases(casesPhrases);
  const { notify } = useNotices();
  const mayWrite = useMay("cases:write");
  const mode = useMode();
  const [preview, setPreview] = useState<Shown>();

  const send = useCallback<Changes["send"]>(
    async (ask, { before = {}, onRefused } = {}) => {
      try {
        const answer = await ask();
        if (!isPreview(answer)) return answer;
        setPreview({ before, after: toObject(answer.preview) });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (onRefused?.(error)) return undefined;
        // A session that ended asks for the password.
        if (error.status !== 401) notify({ tone: "failed", text: `${words.failed}: ${error.message}` });
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
        closeLabel={words.close}
        actions={<Button onClick={() => setPreview(undefined)}>{words.close}</Button>}
      >
        <p className="soft">{words.previewText}</p>
        {preview && <Difference {...preview} />}
      </Dialog>
    </ChangesContext>
  );
}

const HIDDEN = new Set(["id", "updated_at", "created_at", "sla", "closed_at"]);

function Difference({ before, after }: Shown) {
  const former = new Map<string, unknown>(Object.entries(before));
  const changed = Object.entries(after).filter(
    ([name, value]) => !HIDDEN.has(name) && showValue(value) !== "" && showValue(value) !== showValue(former.get(name)),
  );
  return (
    <dl className="cases-preview">
      {changed.map(([name, value]) => (
        <div key={name}>
          <dt>
            <bdi dir="ltr">{name}</bdi>
          </dt>
          <dd>
            {former.has(name) && (
              <del>
                <SafeText>{showValue(former.get(name))}</SafeText>
              </del>
            )}
            <ins>
              <SafeText>{showValue(value)}</SafeText>
            </ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function useChanges(): Changes {
  const changes = use(ChangesContext);
  if (!changes) throw new Error("useChanges needs a ChangesProvider");
  return changes;
}
