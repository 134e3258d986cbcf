import type { ReactNode } from "react";
import "./lists.css";

/** Over a list: changes wait until someone asks for them, because rows never move under the cursor. */
export function NewsPill({ onShow, children }: { onShow: () => void; children: ReactNode }) {
  return (
    <button type="button" className="news-pill" onClick={onShow}>
      {children}
    </button>
  );
}
