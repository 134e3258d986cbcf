import type { RuntimeTruthBody } from "@soc/service/contract/foundation/runtime/runtime";
import { useEffect, useRef } from "react";
import { timeWords } from "../../../app/api/error-words.ts";
import { Allowances } from "./allowances.tsx";
import type { RuntimeClient } from "./runtime-client.ts";
import { useRuntimeTruth } from "./use-runtime-truth.ts";
import { databaseWords, MODE_WORDS, sourceWords, type Words } from "./words.ts";
import "./runtime.css";

export interface RuntimePageProps {
  runtime: RuntimeClient;
  onUnauthenticated: () => void;
}

function Fact({ label, name, meaning }: Words & { label: string }) {
  return (
    <div className="fact">
      <dt>{label}</dt>
      <dd>
        <strong className="fact-name">{name}</strong>
        <span className="soft">{meaning}</span>
      </dd>
    </div>
  );
}

function Truth({ truth }: { truth: RuntimeTruthBody }) {
  const mode = MODE_WORDS[truth.mode];
  return (
    <>
      <section className={`panel mode mode-${truth.mode}`} aria-labelledby="mode">
        <h2 id="mode" className="label">
          Mode
        </h2>
        <div role="status">
          <p className="mode-name">
            {mode.name} <code className="mode-code">{truth.mode}</code>
          </p>
          <p>{mode.meaning}</p>
        </div>
      </section>
      <section className="panel" aria-labelledby="reads">
        <h2 id="reads" className="panel-title">
          Data
        </h2>
        <dl className="facts">
          <Fact label="Database" {...databaseWords(truth)} />
          <Fact label="Reads come from" {...sourceWords(truth)} />
        </dl>
      </section>
      <Allowances truth={truth} />
    </>
  );
}

export function RuntimePage(props: RuntimePageProps) {
  const { reading, refreshNow } = useRuntimeTruth(props);
  const { known, trouble } = reading;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);

  return (
    <main className="content">
      <div className="title-row">
        <div>
          <h1 ref={heading} tabIndex={-1} className="title">
            Runtime
          </h1>
          <p className="soft">What this platform may do right now.</p>
        </div>
        <div className="freshness">
          <p className="soft">
            {known ? `Checked at ${timeWords(known.readAt)}, again every 30 seconds` : "Not checked yet"}
          </p>
          <button type="button" className="button" onClick={refreshNow}>
            Check now
          </button>
        </div>
      </div>
      <div role="alert">
        {trouble && (
          <p className="trouble">
            {trouble} {known && `Below is what was true at ${timeWords(known.readAt)}.`}
          </p>
        )}
      </div>
      <div className="panels" aria-busy={!known && !trouble}>
        {known && <Truth truth={known.truth} />}
        {!known && !trouble && <p className="panel soft">Loading…</p>}
      </div>
    </main>
  );
}
