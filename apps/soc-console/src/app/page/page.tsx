import { type ReactNode, useEffect, useRef } from "react";
import { useMode } from "../mode/use-mode.ts";
import "./page.css";
import { ErrorState } from "../../design/states.tsx";
import { usePhrases } from "../language/language-context.tsx";
import { ApiError, errorWords } from "../server/api-error.ts";
import { pagePhrases } from "./page-phrases.ts";

export interface FailedPartProps {
  error: unknown;
  /** What failed, if the place does not make it obvious. */
  title?: string | undefined;
  onRetry?: (() => void) | undefined;
}

/** A part of the page that failed to load. The others keep working. */
export function FailedPart({ error, title, onRetry }: FailedPartProps) {
  const words = usePhrases(pagePhrases);
  const isAnswer = error instanceof ApiError;
  const text = isAnswer ? errorWords(error) : error instanceof Error ? error.message : "";
  return (
    <ErrorState
      title={title ?? words.failed}
      text={<bdi>{text}</bdi>}
      requestId={isAnswer ? error.requestId : undefined}
      retryLabel={words.retry}
      onRetry={onRetry}
    />
  );
}

export interface PageProps {
  title: string;
  /** Breadcrumb above the title. */
  back?: ReactNode;
  /** Views or tabs beside the title. */
  tabs?: ReactNode;
  /** End of the title line: range, zone, actions. */
  tools?: ReactNode;
  /** The page fills the window, and its parts scroll separately. */
  isFull?: boolean;
  children: ReactNode;
}

const MODE_PREFIXES = { dummy: "[DUMMY] ", dry_run: "[DRY] ", real: "" } as const;

/** The frame of every page: its title is the window title, and receives the focus when the page opens. */
export function Page({ title, back, tabs, tools, isFull = false, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const mode = useMode();
  useEffect(() => {
    document.title = `${mode ? MODE_PREFIXES[mode] : ""}${title} · Manara SOC`;
  }, [title, mode]);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <main id="main" className={isFull ? "page page-full" : "page"}>
      <div className="page-bar">
        {back}
        <h1 ref={heading} tabIndex={-1} className="page-title">
          {title}
        </h1>
        {tabs}
        {tools && <div className="page-tools">{tools}</div>}
      </div>
      {children}
    </main>
  );
}
