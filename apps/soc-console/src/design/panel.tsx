import { type ReactNode, useId } from "react";

export interface PanelProps {
  title: ReactNode;
  /** Content at the end of the title line. */
  aside?: ReactNode;
  children: ReactNode;
}

export function Panel({ title, aside, children }: PanelProps) {
  const id = useId();
  return (
    <section className="panel" aria-labelledby={id}>
      <header className="panel-head">
        <h2 id={id} className="panel-title">
          {title}
        </h2>
        {aside && <div className="panel-aside">{aside}</div>}
      </header>
      {children}
    </section>
  );
}

export interface Fact {
  label: string;
  value: ReactNode;
}

export function Facts({ items }: { items: readonly Fact[] }) {
  return (
    <dl className="facts">
      {items.map(({ label, value }) => (
        <div key={label} className="facts-fact">
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
