import type { ReactNode } from "react";
import "./lists.css";

/** The pill over a list: changes wait until the user loads them, because rows never move under the cursor. */
export function NewsPill({ onShow, children }: { onShow: () => void; children: ReactNode }) {
  return (
    <button type="button" className="news-pill" onClick={onShow}>
      {children}
    </button>
  );
}
