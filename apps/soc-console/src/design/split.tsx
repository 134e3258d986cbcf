import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from "react";

export interface SplitProps {
  main: ReactNode;
  pane?: ReactNode;
  paneLabel: string;
  paneWidth?: number | undefined;
  /** Called with the new width after the separator moved. */
  onPaneWidth?: ((width: number) => void) | undefined;
}

const MIN_WIDTH = 320;
const MAX_WIDTH = 800;
const STEP = 16;

function clampWidth(width: number): number {
  return Math.round(Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, width)));
}

/** A list with a pane for the row under the cursor. In a narrow window the pane covers the list. */
export function Split({ main, pane, paneLabel, paneWidth = 424, onPaneWidth }: SplitProps) {
  const split = useRef<HTMLDivElement>(null);
  const [dragged, setDragged] = useState<number>();
  const [kept, setKept] = useState<{ given: number; width: number }>();
  const settled = kept?.given === paneWidth ? kept.width : paneWidth;
  const width = dragged ?? settled;

  const settle = (next: number) => {
    setDragged(undefined);
    setKept({ given: paneWidth, width: next });
    onPaneWidth?.(next);
  };
  const drag = (event: PointerEvent) => {
    if (!split.current || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const box = split.current.getBoundingClientRect();
    const isRtl = getComputedStyle(split.current).direction === "rtl";
    setDragged(clampWidth(isRtl ? event.clientX - box.left : box.right - event.clientX));
  };
  const press = (event: KeyboardEvent) => {
    const isRtl = getComputedStyle(event.currentTarget).direction === "rtl";
    const towardsPane = isRtl ? "ArrowLeft" : "ArrowRight";
    const towardsMain = isRtl ? "ArrowRight" : "ArrowLeft";
    const moves: Record<string, number> = {
      [towardsPane]: width - STEP,
      [towardsMain]: width + STEP,
      Home: MIN_WIDTH,
      End: MAX_WIDTH,
    };
    const next = moves[event.key];
    if (next === undefined) return;
    event.preventDefault();
    settle(clampWidth(next));
  };

  return (
    <div ref={split} className="split">
      <div className="split-frame" style={{ "--pane-width": `${width}px` }}>
        <div className="split-main">{main}</div>
        {pane && (
          <>
            {/* biome-ignore lint/a11y/useSemanticElements: an <hr> cannot be moved. */}
            <div
              className="split-separator"
              role="separator"
              aria-orientation="vertical"
              aria-label={paneLabel}
              aria-valuenow={width}
              aria-valuemin={MIN_WIDTH}
              aria-valuemax={MAX_WIDTH}
              tabIndex={0}
              onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
              onPointerMove={drag}
              onPointerUp={() => dragged !== undefined && settle(dragged)}
              onKeyDown={press}
            />
            <aside className="split-pane" aria-label={paneLabel}>
              {pane}
            </aside>
          </>
        )}
      </div>
    </div>
  );
}
