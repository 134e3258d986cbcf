import { type ReadonlySignal, signal } from "@preact/signals";

export interface Notice {
  id: number;
  kind: "done" | "refused" | "news";
  text: string;
}

export interface Notices {
  shown: ReadonlySignal<readonly Notice[]>;
  show: (kind: Notice["kind"], text: string) => void;
  dismiss: (id: number) => void;
}

const SHOWN_MS = 7000;
/** A phone has room for three. */
const MAX_NOTICES = 3;

/** Short messages at the edge of the page that disappear after a few seconds. */
export function createNotices(after: (delayMs: number, task: () => void) => () => void): Notices {
  const shown = signal<readonly Notice[]>([]);
  let latest = 0;
  const dismiss = (id: number) => {
    shown.value = shown.value.filter((notice) => notice.id !== id);
  };
  return {
    shown,
    dismiss,
    show(kind, text) {
      latest += 1;
      const id = latest;
      shown.value = [...shown.value.filter((notice) => notice.text !== text), { id, kind, text }].slice(-MAX_NOTICES);
      after(SHOWN_MS, () => dismiss(id));
    },
  };
}
