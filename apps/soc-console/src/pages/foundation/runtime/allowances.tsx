import type { RuntimeTruthBody } from "@soc/service/contract/foundation/runtime/runtime";
import { listAllowances } from "./words.ts";

function Verdict({ isAllowed }: { isAllowed: boolean }) {
  return (
    <span className={isAllowed ? "verdict verdict-yes" : "verdict verdict-no"}>
      <svg className="verdict-sign" viewBox="0 0 16 16" aria-hidden="true">
        <path d={isAllowed ? "M3 8.5 6.5 12 13 4.5" : "M4 4l8 8M12 4l-8 8"} />
      </svg>
      {isAllowed ? "Yes" : "No"}
    </span>
  );
}

export function Allowances({ truth }: { truth: RuntimeTruthBody }) {
  return (
    <section className="panel allowances" aria-labelledby="allowed">
      <h2 id="allowed" className="panel-title">
        What is allowed
      </h2>
      <dl className="allowance-list">
        {listAllowances(truth).map(({ name, isAllowed, meaning }) => (
          <div key={name} className="allowance">
            <dt>{name}</dt>
            <dd className="allowance-verdict">
              <Verdict isAllowed={isAllowed} />
            </dd>
            <dd className="allowance-meaning soft">{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
