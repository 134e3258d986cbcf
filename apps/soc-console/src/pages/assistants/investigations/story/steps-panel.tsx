import { ChevronFirst, ChevronLeft, ChevronRight, Pause, Play } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { every } from "../../../../app/browser/clock.ts";
import { useCommands } from "../../../../app/keys/commands-context.tsx";
import { fill, useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { IconButton } from "../../../../design/button.tsx";
import { Badge } from "../../../../design/chip.tsx";
import { Checkbox } from "../../../../design/field.tsx";
import { Panel } from "../../../../design/panel.tsx";
import { parse } from "./recorded-events.ts";
import { listCalls, type TimedStep } from "./steps.ts";
import { storyPhrases } from "./story-phrases.ts";

const STEP_MS = 900;
const MAX_ARGUMENTS = 160;
const MAX_JSON = 20_000;

/** Replays the steps one by one. Undefined: all are shown. */
function useReplay(count: number) {
  const [at, setAt] = useState<number>();
  const [isPlaying, setIsPlaying] = useState(false);
  const isRunning = isPlaying && at !== undefined && at < count - 1;
  useEffect(() => {
    if (!isRunning) return;
    return every(STEP_MS, () => setAt((before = 0) => Math.min(before + 1, count - 1)));
  }, [isRunning, count]);
  const go = (next: number) => {
    setIsPlaying(false);
    setAt(Math.max(0, Math.min(next, count - 1)));
  };
  return {
    at: at === undefined ? undefined : Math.min(at, count - 1),
    isRunning,
    toggle: () => {
      if (at === undefined || at >= count - 1) setAt(0);
      setIsPlaying(!isRunning);
    },
    restart: () => go(0),
    step: (by: number) => go((at ?? (by > 0 ? -1 : count)) + by),
  };
}

type Replay = ReturnType<typeof useReplay>;

/** Every tool call with arguments, time and result, and a step-by-step replay. */
export function StepsPanel({ steps }: { steps: readonly TimedStep[] }) {
  const words = usePhrases(storyPhrases);
  const [isAll, setIsAll] = useState(false);
  const shown = isAll ? steps : listCalls(steps);
  const replay = useReplay(shown.length);
  useCommands([
    {
      id: "investigation.replay",
      label: replay.isRunning ? words.pause : words.replay,
      group: words.title,
      keys: ["p"],
      isInStatusLine: true,
      isEnabled: shown.length > 0,
      run: replay.toggle,
    },
  ]);
  return (
    <Panel
      title={words.steps}
      aside={
        <div className="steps-tools">
          <Checkbox label={words.allSteps} checked={isAll} onChange={setIsAll} />
          <ReplayButtons replay={replay} count={shown.length} />
        </div>
      }
    >
      {shown.length === 0 && <p className="soft">{words.stepsNone}</p>}
      <ol className="steps">
        {shown.map((step, index) => (
          <StepRow
            key={step.key}
            step={step}
            isCurrent={index === replay.at}
            isToCome={replay.at !== undefined && index > replay.at}
          />
        ))}
      </ol>
    </Panel>
  );
}

function ReplayButtons({ replay, count }: { replay: Replay; count: number }) {
  const words = usePhrases(storyPhrases);
  const common = { size: "s", disabled: count === 0 } as const;
  return (
    <>
      <span aria-live="polite">{replay.at !== undefined && fill(words.place, { at: replay.at + 1, count })}</span>
      <IconButton {...common} icon={<ChevronFirst />} label={words.first} onClick={replay.restart} />
      <IconButton {...common} icon={<ChevronLeft />} label={words.earlier} onClick={() => replay.step(-1)} />
      <IconButton
        {...common}
        icon={replay.isRunning ? <Pause /> : <Play />}
        label={replay.isRunning ? words.pause : words.replay}
        keys={["P"]}
        onClick={replay.toggle}
      />
      <IconButton {...common} icon={<ChevronRight />} label={words.later} onClick={() => replay.step(1)} />
    </>
  );
}

interface StepRowProps {
  step: TimedStep;
  isCurrent: boolean;
  isToCome: boolean;
}

function StepRow({ step, isCurrent, isToCome }: StepRowProps) {
  const words = usePhrases(storyPhrases);
  const { number } = useNumbers();
  const item = useRef<HTMLLIElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    if (isCurrent) item.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent]);
  const hasArguments = step.arguments !== "null" && step.arguments !== "{}";
  return (
    <li ref={item} className={isToCome ? "step step-to-come" : "step"} aria-current={isCurrent ? "step" : undefined}>
      <details open={isOpen || isCurrent} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary className="step-head">
          <bdi className="mono soft step-time" dir="ltr">
            +{number(step.offsetMs / 1000)} s
          </bdi>
          <bdi dir="ltr">{step.agent.replace(/Agent$/, "")}</bdi>
          <strong>
            <SafeText isMono>{step.name}</SafeText>
          </strong>
          {hasArguments && (
            <span className="step-arguments soft">
              <SafeText isMono>{step.arguments.slice(0, MAX_ARGUMENTS)}</SafeText>
            </span>
          )}
          {step.error_code !== null && (
            <Badge tone="failed">
              {words.failedCall}: <bdi dir="ltr">{step.error_code}</bdi>
            </Badge>
          )}
          {step.is_cut && <Badge tone="waiting">{words.cut}</Badge>}
        </summary>
        {(isOpen || isCurrent) && (
          <div className="step-body">
            {hasArguments && <Json title={words.asked} text={step.arguments} />}
            <Json title={words.answered} text={step.result} />
          </div>
        )}
      </details>
    </li>
  );
}

/** A formatted recorded value. Truncated: a browser cannot lay out a megabyte. */
function Json({ title, text }: { title: string; text: string }) {
  const words = usePhrases(storyPhrases);
  const value = parse(text);
  const shown = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  const rest = shown.length - MAX_JSON;
  return (
    <section aria-label={title}>
      <h3 className="soft">{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the text scrolls, so keys must reach it. */}
      <pre className="step-json" dir="ltr" tabIndex={0}>
        <SafeText isMono>{shown.slice(0, MAX_JSON)}</SafeText>
        {rest > 0 && `\n${fill(words.shortened, { count: rest })}`}
      </pre>
    </section>
  );
}
