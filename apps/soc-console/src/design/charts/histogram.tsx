import {
  type KeyboardEvent,
  memo,
  type PointerEvent,
  type ReactNode,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { type Bar, type Bucket, findBar, layBars, spanBuckets } from "./bars.ts";

export interface HistogramProps {
  label: string;
  buckets: readonly Bucket[];
  from: string;
  to: string;
  /** The length of a bucket, as the service states it. */
  intervalS?: number | undefined;
  height?: number | undefined;
  /** The user selected a range with the pointer, or with arrows, Shift and Enter. */
  onRange?: ((from: string, to: string) => void) | undefined;
  /** The user pressed Backspace or double-clicked. */
  onReset?: (() => void) | undefined;
  /** Text of a bucket for the tooltip and for screen readers. */
  describe: (bucket: Bucket) => string;
  /** Times below the bars, from left to right. */
  ticks?: readonly ReactNode[] | undefined;
}

function useWidth() {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    setWidth(Math.floor(element.current.clientWidth));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return [element, width] as const;
}

interface RangeMark {
  /** Start of the range; equals `at` without a range. */
  from: number;
  at: number;
}

function moveMark(event: KeyboardEvent, mark: RangeMark, count: number): RangeMark | undefined {
  const moves: Record<string, number> = {
    ArrowLeft: mark.at - 1,
    ArrowRight: mark.at + 1,
    ArrowDown: mark.at - 1,
    ArrowUp: mark.at + 1,
    Home: 0,
    End: count - 1,
  };
  const next = moves[event.key];
  if (next === undefined) return undefined;
  const at = Math.max(0, Math.min(count - 1, next));
  return { from: event.shiftKey ? mark.from : at, at };
}

/** The active bucket or range, and its pointer and keyboard handlers. */
function useMark({ buckets, from, to, intervalS, onRange, onReset }: HistogramProps, bars: readonly Bar[]) {
  const [mark, setMark] = useState<RangeMark>();
  const isDrawing = useRef(false);
  const last = buckets.length - 1;
  const marked = mark && { from: Math.min(mark.from, last), at: Math.min(mark.at, last) };
  const choose = ({ from: a, at: b }: RangeMark) => {
    const span = spanBuckets(buckets, a, b, { from, to, intervalS });
    if (span) onRange?.(span.from, span.to);
  };
  const hover = (event: PointerEvent) => {
    const at = findBar(bars, event.clientX - event.currentTarget.getBoundingClientRect().left);
    if (at !== -1) setMark((before) => ({ from: isDrawing.current && before ? before.from : at, at }));
  };
  const start = (event: PointerEvent) => {
    if (!onRange || event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    hover(event);
    isDrawing.current = true;
  };
  const end = () => {
    if (isDrawing.current && marked && marked.from !== marked.at) choose(marked);
    isDrawing.current = false;
    setMark(undefined);
  };
  const leave = () => {
    if (!isDrawing.current) setMark(undefined);
  };
  const press = (event: KeyboardEvent) => {
    // The newest bucket is the value until one is marked.
    const next = moveMark(event, marked ?? { from: last, at: last }, buckets.length);
    if (next) setMark(next);
    else if (event.key === "Enter" && marked) choose(marked);
    else if (event.key === "Backspace" && onReset) onReset();
    else if (event.key === "Escape" && marked) setMark(undefined);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { marked, hover, start, end, leave, press };
}

/** Bars over time. Time runs from left to right in every language. */
export function Histogram(props: HistogramProps) {
  const { label, buckets, from, to, intervalS, height = 56, onRange, onReset, describe, ticks } = props;
  const [plot, width] = useWidth();
  const bars = useMemo(
    () => (width > 0 ? layBars(buckets, { from, to, intervalS, width, height }) : []),
    [buckets, from, to, intervalS, width, height],
  );
  const { marked, hover, start, end, leave, press } = useMark(props, bars);
  const current = marked && buckets[marked.at];
  const spoken = current ?? buckets.at(-1);
  const last = Math.max(0, buckets.length - 1);

  return (
    <div className="histogram" dir="ltr">
      {/* A slider over the bars: arrow keys move through them and screen readers announce each. */}
      <div
        ref={plot}
        className={onRange ? "histogram-plot histogram-drawable" : "histogram-plot"}
        style={{ blockSize: height }}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={marked?.at ?? last}
        aria-valuetext={spoken ? describe(spoken) : label}
        onPointerMove={hover}
        onPointerDown={start}
        onPointerUp={end}
        onPointerCancel={end}
        onPointerLeave={leave}
        onBlur={leave}
        onDoubleClick={onReset}
        onKeyDown={press}
      >
        <Picture bars={bars} marked={marked} width={width} height={height} />
        {current && (
          <Tooltip bar={bars[marked.at]} width={width}>
            {describe(current)}
          </Tooltip>
        )}
      </div>
      {ticks && <Ticks ticks={ticks} />}
    </div>
  );
}

interface PictureProps {
  bars: readonly Bar[];
  marked: RangeMark | undefined;
  width: number;
  height: number;
}

function Picture({ bars, marked, width, height }: PictureProps) {
  return (
    <svg className="histogram-picture" width={width} height={height} aria-hidden="true">
      {[0.25, 0.5, 0.75].map((part) => (
        <line key={part} className="histogram-line" x1={0} x2={width} y1={height * part} y2={height * part} />
      ))}
      {marked && <MarkedRange bars={bars} marked={marked} height={height} />}
      <Bars bars={bars} />
    </svg>
  );
}

function Ticks({ ticks }: { ticks: readonly ReactNode[] }) {
  return (
    <div className="histogram-ticks" aria-hidden="true">
      {ticks.map((tick, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a tick is its place.
        <span key={index}>{tick}</span>
      ))}
    </div>
  );
}

/** Memoized: hundreds of elements that do not change while the pointer moves. */
const Bars = memo(function Bars({ bars }: { bars: readonly Bar[] }) {
  return bars.map((bar) =>
    bar.parts.map((part) => (
      <rect
        key={`${bar.x} ${part.key}`}
        x={bar.x}
        y={part.y}
        width={bar.width}
        height={part.height}
        style={{ fill: part.fill }}
      />
    )),
  );
});

function MarkedRange({ bars, marked, height }: { bars: readonly Bar[]; marked: RangeMark; height: number }) {
  const first = bars[Math.min(marked.from, marked.at)];
  const last = bars[Math.max(marked.from, marked.at)];
  if (!first || !last) return null;
  const isRange = first !== last;
  return (
    <rect
      className={isRange ? "histogram-range" : "histogram-hover"}
      x={first.x - 1}
      y={0}
      width={last.x + last.width - first.x + 2}
      height={height}
    />
  );
}

function Tooltip({ bar, width, children }: { bar: Bar | undefined; width: number; children: ReactNode }) {
  if (!bar) return null;
  const isLeft = bar.x < width / 2;
  const place = isLeft ? { left: bar.x + bar.width + 6 } : { right: width - bar.x + 6 };
  return (
    <div className="histogram-tooltip" style={place} dir="auto" aria-hidden="true">
      {children}
    </div>
  );
}
