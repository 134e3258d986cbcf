import { ArrowLeft, ArrowRight } from "lucide-react";
import { fill, isolated, useLanguage, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Badge, type Tone } from "../../../design/chip.tsx";
import { type DotShape, StatusDot } from "../../../design/severity.tsx";
import type { Endpoint } from "./edr-client.ts";
import { edrPhrases } from "./edr-phrases.ts";
import type { AdapterState, Isolation } from "./isolation.ts";

type State = Endpoint["isolation"]["reported"];

const DOTS: Readonly<Record<State, [DotShape, Tone]>> = {
  normal: ["ring", "plain"],
  isolated: ["full", "high"],
  unknown: ["half", "plain"],
};

function IsolationState({ state }: { state: State }) {
  const words = usePhrases(edrPhrases);
  const [shape, tone] = DOTS[state];
  return (
    <span className="edr-state">
      <StatusDot shape={shape} tone={tone} />
      {words.states[state]}
    </span>
  );
}

/** `isolated 4 min → unknown 40 s`, and whether the two differ. */
export function IsolationLine({ isolation }: { isolation: Isolation }) {
  const words = usePhrases(edrPhrases);
  const { direction } = useLanguage();
  const time = useTime();
  const { wanted, reported, isPending } = isolation;
  const Arrow = direction === "rtl" ? ArrowLeft : ArrowRight;
  return (
    <span className={isPending ? "edr-line edr-line-pending" : "edr-line"}>
      <IsolationState state={wanted.state} />
      {wanted.at !== undefined && <span className="soft">{time.relative(wanted.at)}</span>}
      <Arrow size={12} aria-hidden="true" className="edr-arrow" />
      <IsolationState state={reported.state} />
      {isPending && <Badge tone="waiting">{words.pending}</Badge>}
    </span>
  );
}

/** Desired and reported state, each with its age; neither substitutes for the other. */
export function IsolationSides({ isolation }: { isolation: Isolation }) {
  const words = usePhrases(edrPhrases);
  const time = useTime();
  const { wanted, reported, isPending, release } = isolation;
  return (
    <>
      <dl className="edr-sides">
        <div>
          <dt>{words.wanted}</dt>
          <dd className="edr-side">
            <IsolationState state={wanted.state} />
          </dd>
          <dd className="soft" title={wanted.at && time.dateTime(wanted.at)}>
            {wanted.at === undefined ? words.noAction : fill(words.since, { age: time.relative(wanted.at) })}
          </dd>
        </div>
        <div>
          <dt>{words.reported}</dt>
          <dd className="edr-side">
            <IsolationState state={reported.state} />
          </dd>
          <dd className="soft" title={reported.at && time.dateTime(reported.at)}>
            {reported.at === undefined ? "" : fill(words.lastReport, { age: time.relative(reported.at) })}
          </dd>
        </div>
      </dl>
      <p className={isPending ? "edr-verdict tone-waiting" : "edr-verdict tone-ok"}>
        <StatusDot shape={isPending ? "half" : "check"} tone={isPending ? "waiting" : "ok"} />
        {isPending ? words.differ : words.agree}
      </p>
      {release !== undefined && wanted.state === "isolated" && (
        <p className="soft">
          {release === null ? words.releaseNever : fill(words.releaseAt, { time: isolated(time.dateTime(release)) })}
        </p>
      )}
    </>
  );
}

const ADAPTER_DOTS: Readonly<Record<AdapterState["kind"], [DotShape, Tone]>> = {
  none: ["ring", "plain"],
  closed: ["check", "ok"],
  half_open: ["half", "waiting"],
  open: ["cross", "failed"],
};

/** Whether actions reach the hosts, in words. */
export function AdapterLine({ adapter }: { adapter: AdapterState }) {
  const { adapter: words } = usePhrases(edrPhrases);
  const { count } = useNumbers();
  const time = useTime();
  const [shape, tone] = ADAPTER_DOTS[adapter.kind];
  const isSince = adapter.kind === "open" && adapter.since !== undefined;
  return (
    <p className={`edr-adapter edr-adapter-${adapter.kind}`} role="status">
      <StatusDot shape={shape} tone={tone} />
      <span>
        {isSince
          ? fill(words.openSince, { time: isolated(time.time(adapter.since ?? "").slice(0, 5)) })
          : words[adapter.kind]}
      </span>
      {adapter.waiting > 0 && <span className="soft">{count(adapter.waiting, words.waiting)}</span>}
    </p>
  );
}

export function OnlineSign({ status }: Pick<Endpoint, "status">) {
  const words = usePhrases(edrPhrases);
  return (
    <span className="edr-state">
      <StatusDot shape={status === "online" ? "full" : "ring"} tone={status === "online" ? "ok" : "plain"} />
      {words.status[status]}
    </span>
  );
}

const RISKS: readonly [number, Tone][] = [
  [80, "critical"],
  [60, "high"],
  [40, "medium"],
  [20, "low"],
];

export function RiskBadge({ risk }: Pick<Endpoint, "risk">) {
  const { number } = useNumbers();
  const [, tone] = RISKS.find(([least]) => risk >= least) ?? [0, "plain" as const];
  return <Badge tone={tone}>{number(risk)}</Badge>;
}
