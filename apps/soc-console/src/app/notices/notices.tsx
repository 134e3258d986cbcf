import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";
import { after } from "../browser/clock.ts";

export interface NoticeContent {
  text: string;
  tone: "ok" | "waiting" | "failed" | "plain";
  /** A button, such as Undo. */
  action?: { label: string; run: () => void };
  /** How long the notice stays. An error stays until the user closes it. */
  forMs?: number;
}

export interface ShownNotice extends NoticeContent {
  id: number;
}

interface Notices {
  shown: readonly ShownNotice[];
  /** Returns a function that closes the notice. */
  notify: (notice: NoticeContent) => () => void;
  close: (id: number) => void;
}

const NoticesContext = createContext<Notices | undefined>(undefined);

const MAX_NOTICES = 4;
const SHOWN_MS = 8000;

/** The oldest notice goes; a failure only when all are failures. */
function makeRoom(shown: readonly ShownNotice[]): readonly ShownNotice[] {
  if (shown.length < MAX_NOTICES) return shown;
  const leaving = shown.find(({ tone }) => tone !== "failed") ?? shown[0];
  return shown.filter((notice) => notice !== leaving);
}

/** Short messages over every page. */
export function NoticesProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<readonly ShownNotice[]>([]);
  const [counter] = useState({ last: 0 });
  const close = useCallback((id: number) => setShown((before) => before.filter((notice) => notice.id !== id)), []);
  const notify = useCallback(
    (notice: NoticeContent) => {
      counter.last += 1;
      const id = counter.last;
      setShown((before) => [...makeRoom(before), { ...notice, id }]);
      if (notice.tone !== "failed") after(notice.forMs ?? SHOWN_MS, () => close(id));
      return () => close(id);
    },
    [close, counter],
  );
  const notices = useMemo(() => ({ shown, notify, close }), [shown, notify, close]);
  return <NoticesContext value={notices}>{children}</NoticesContext>;
}

export function useNotices(): Notices {
  const notices = useContext(NoticesContext);
  if (!notices) throw new Error("useNotices needs a NoticesProvider");
  return notices;
}
