import { type ReactNode, useEffect, useRef } from "react";
import { useMode } from "../mode/use-mode.ts";
import "./page.css";

export interface PageProps {
  title: string;
  /** Where the page lies, before its title. */
  back?: ReactNode;
  /** Views or tabs, beside the title. */
  tabs?: ReactNode;
  /** At the end of the title's line: range, zone, actions. */
  tools?: ReactNode;
  /** The page fills the window and its parts scroll by themselves. */
  isFull?: boolean;
  children: ReactNode;
}

const MODE_PREFIXES = { dummy: "[DUMMY] ", dry_run: "[DRY] ", real: "" } as const;

/** The frame of every page: its title is the title of the window, and gets the focus when the page opens. */
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
