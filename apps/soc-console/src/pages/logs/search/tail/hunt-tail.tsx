import { Pause, Play, Square } from "lucide-react";
import { type UIEvent, useCallback, useEffect, useMemo, useRef } from "react";
import { fill, useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { useStatusText } from "../../../../app/status/status.tsx";
import { useTime } from "../../../../app/time/time-context.tsx";
import { Button } from "../../../../design/button.tsx";
import { completeList } from "../../../../design/list/list-pages.ts";
import { StatusDot } from "../../../../design/severity.tsx";
import { EmptyState } from "../../../../design/states.tsx";
import { HuntRows, type HuntRowsProps } from "../log/hunt-rows.tsx";
import { searchPhrases } from "../search-phrases.ts";
import type { TailPhase } from "./tail.ts";
import type { TailReading } from "./use-tail.ts";

export type HuntTailProps = Omit<HuntRowsProps, "pages" | "isWithDay" | "empty" | "footer"> & { reading: TailReading };

const DOTS = { live: "full", paused: "half", stopped: "ring" } as const;
const TONES = { live: "ok", paused: "waiting", stopped: "plain" } as const;

/** New logs as they arrive. A label shows whether the tail is live, paused by scrolling, or stopped. */
export function HuntTail({ reading, ...rows }: HuntTailProps) {
  const words = usePhrases(searchPhrases);
  const { number } = useNumbers();
  const { tail, pause } = reading;
  const frame = useRef<HTMLDivElement>(null);
  const pages = useMemo(() => completeList(tail.rows), [tail.rows]);
  const { phase } = tail;
  useEffect(() => {
    // A live tail scrolls to its newest row.
    if (phase === "live") frame.current?.querySelector(".list-scroller")?.scrollTo(0, 0);
  }, [phase]);
  const follow = useCallback(
    ({ target }: UIEvent) => {
      if (!(target instanceof HTMLElement)) return;
      if (target.scrollTop > 4) pause();
    },
    [pause],
  );
  useStatusText(`${words.tailPhases[phase]} · ${fill(words.tailRows, { count: number(tail.rows.length) })}`);
  return (
    <div className="search-tail">
      <TailBar {...reading} />
      <div ref={frame} className="search-tail-rows" onScrollCapture={follow}>
        <HuntRows
          {...rows}
          pages={pages}
          isWithDay={false}
          empty={
            <EmptyState
              title={phase === "stopped" ? words.tailStopped : words.tailWaits}
              text={reading.isRefused ? words.tailRefused : words.tailWaitsText}
            />
          }
        />
      </div>
    </div>
  );
}

function TailBar({ tail, isConnected, resumedAt, isRefused, pause, resume, stop, start }: TailReading) {
  const words = usePhrases(searchPhrases);
  const { number } = useNumbers();
  const { time } = useTime();
  const { phase, waiting, dropped, isEstimate } = tail;
  return (
    <div className="search-tail-bar">
      <p className="search-tail-phase" role="status">
        <StatusDot shape={DOTS[phase]} tone={TONES[phase]} />
        <strong>{phase === "live" && !isConnected ? words.tailConnecting : words.tailPhases[phase]}</strong>
        {waiting.length > 0 && <span>{fill(words.tailWaiting, { count: number(waiting.length) })}</span>}
      </p>
      {dropped > 0 && (
        <p className="search-partial">
          {fill(words.tailDropped, { count: `${isEstimate ? "≥ " : ""}${number(dropped)}` })}
        </p>
      )}
      {resumedAt && <p className="search-partial">{fill(words.tailGap, { time: time(resumedAt) })}</p>}
      <span className="search-tail-buttons">
        <PhaseButton phase={phase} pause={pause} resume={resume} />
        {phase === "stopped" ? (
          !isRefused && (
            <Button size="s" icon={<Play />} onClick={start}>
              {words.tailStart}
            </Button>
          )
        ) : (
          <Button size="s" icon={<Square />} onClick={stop}>
            {words.tailStop}
          </Button>
        )}
        {phase === "stopped" && isRefused && (
          <Button size="s" onClick={start}>
            {words.retry}
          </Button>
        )}
      </span>
    </div>
  );
}

function PhaseButton({ phase, pause, resume }: { phase: TailPhase; pause: () => void; resume: () => void }) {
  const words = usePhrases(searchPhrases);
  if (phase === "live") {
    return (
      <Button size="s" icon={<Pause />} onClick={pause}>
        {words.tailPause}
      </Button>
    );
  }
  if (phase === "stopped") return null;
  return (
    <Button size="s" kind="primary" icon={<Play />} keys={["."]} onClick={resume}>
      {words.tailResume}
    </Button>
  );
}
