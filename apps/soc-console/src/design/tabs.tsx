import type { MouseEvent, ReactNode } from "react";

export interface TabLink {
  label: string;
  count?: ReactNode;
  href?: string | undefined;
  isCurrent: boolean;
  onSelect?: (() => void) | undefined;
}

/** Views of one page. They navigate, so they are links or buttons in a navigation, not ARIA tabs. */
export function TabLinks({ label, items }: { label: string; items: readonly TabLink[] }) {
  return (
    <nav className="tabs" aria-label={label}>
      {items.map((item) => (
        <Tab key={item.label} {...item} />
      ))}
    </nav>
  );
}

function Tab({ label, count, href, isCurrent, onSelect }: TabLink) {
  const content = (
    <>
      {label}
      {count !== undefined && <span className="tabs-count">{count}</span>}
    </>
  );
  const select = (event: MouseEvent) => {
    // Let the browser handle Ctrl and ⌘ clicks: they open a new tab.
    if (!onSelect || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onSelect();
  };
  const current = isCurrent ? "page" : undefined;
  if (href !== undefined) {
    return (
      <a className="tabs-tab" href={href} aria-current={current} onClick={select}>
        {content}
      </a>
    );
  }
  return (
    <button type="button" className="tabs-tab" aria-current={current} onClick={onSelect}>
      {content}
    </button>
  );
}
