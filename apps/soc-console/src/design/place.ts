/** Places a floating element below its anchor, or above it if there is no room, and never outside the window. */
export function placeBeside(floating: HTMLElement, anchor: HTMLElement, gap: number): void {
  const from = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = floating;
  const isRtl = getComputedStyle(anchor).direction === "rtl";
  const wantedLeft = isRtl ? from.right - width : from.left;
  const left = Math.max(gap, Math.min(wantedLeft, window.innerWidth - width - gap));
  const below = from.bottom + gap;
  const hasRoom = below + height <= window.innerHeight - gap;
  const top = hasRoom ? below : Math.max(gap, from.top - gap - height);
  floating.style.left = `${left}px`;
  floating.style.top = `${top}px`;
}
