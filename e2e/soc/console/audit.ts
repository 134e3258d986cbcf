import axe from "axe-core";
import type { Page } from "playwright-core";

interface AxeResult {
  violations: { id: string; nodes: { target: unknown[]; failureSummary?: string }[] }[];
}

export interface Findings {
  axe: string[];
  small: string[];
  cut: string[];
}

/**
 * Lists the problems of the current page: accessibility, targets below 24 pixels, content beyond its side edges, and a
 * status line that is not below the page.
 */
export async function audit(page: Page): Promise<Findings> {
  return {
    axe: await axeFindings(page),
    small: await smallTargets(page),
    cut: [...(await cutOff(page)), ...(await misplaced(page))],
  };
}

async function misplaced(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const [line, main] = [".status-line", "main"].map((part) => document.querySelector(part));
    if (!line || !main || line.getClientRects().length === 0) return [];
    const isBelow = line.getBoundingClientRect().top >= main.getBoundingClientRect().bottom - 1;
    return isBelow ? [] : ["the status line is not below the page"];
  });
}

/** The axe violations of the current page, one line each. */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(showUndimmed, UNDIMMED);
  // Evaluated by the browser instead of the page, whose content security policy forbids foreign scripts.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResult>("axe.run(document, { resultTypes: ['violations'] })");
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = "" }) => `${id}: ${target.join(" ")} (${failureSummary.split("\n").at(-1)})`),
  );
}

/** A reload dims the old content and may start at any moment; check the page without the dimming. */
const UNDIMMED = ".stale > * { opacity: 1 !important; transition: none !important; }";

/** Uses a constructed style sheet: the content security policy forbids a new style element. */
function showUndimmed(rule: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rule);
  document.adoptedStyleSheets = [sheet];
}

/** WCAG 2.2, success criterion 2.5.8: with its distance to the next target a target counts as 24 pixels, links in a line of text apart. */
const SMALLEST = 24;

/** Targets that are smaller than 24 pixels in either direction and have another target within the 24 pixels around their middle. */
async function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate((smallest) => {
    const TARGETS = "a[href], button, input, select, textarea, summary, [role=switch], [role=tab], [role=option]";
    /** A box is pressed by its label, and in a list by its cell. */
    const findBox = (element: Element) => {
      const isBox = element instanceof HTMLInputElement && ["checkbox", "radio"].includes(element.type);
      const label = isBox ? element.labels?.[0] : undefined;
      return (label ?? element.closest(".list-check") ?? element).getBoundingClientRect();
    };
    /** Content that was scrolled out of a part of the page lies under another part, and cannot be clicked. */
    const isInView = (element: Element, box: DOMRect): boolean => {
      const y = box.y + box.height / 2;
      for (let outer = element.parentElement; outer; outer = outer.parentElement) {
        if (getComputedStyle(outer).overflowY === "visible") continue;
        const { top, bottom } = outer.getBoundingClientRect();
        if (y < top || y > bottom) return false;
      }
      return true;
    };
    const seen = [...document.querySelectorAll(TARGETS)]
      .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .map((element) => ({ element, box: findBox(element) }))
      .filter(({ element, box }) => box.width > 1 && box.height > 1 && isInView(element, box));
    const isInText = (element: Element) =>
      element.tagName === "A" && getComputedStyle(element).display === "inline" && element.closest("p, li, td, dd");
    const isNear = (box: DOMRect, other: DOMRect) => {
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      const dx = Math.max(other.left - x, 0, x - other.right);
      const dy = Math.max(other.top - y, 0, y - other.bottom);
      return Math.hypot(dx, dy) < smallest / 2 - 0.5;
    };
    return seen
      .filter(({ element, box }) => Math.min(box.width, box.height) < smallest - 0.5 && !isInText(element))
      .filter(({ element, box }) =>
        seen.some(
          ({ element: other, box: otherBox }) =>
            other !== element && !other.contains(element) && !element.contains(other) && isNear(box, otherBox),
        ),
      )
      .map(
        ({ element, box }) => `${element.outerHTML.slice(0, 120)}: ${Math.round(box.width)}x${Math.round(box.height)}`,
      );
  }, SMALLEST);
}

/** Elements beyond the page's side edges. Lists and code that scroll by themselves are cut by intent. */
async function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    const found = scrollWidth > clientWidth ? [`the page is ${scrollWidth} wide in ${clientWidth}`] : [];
    const isWithin = (element: Element | null): boolean => {
      if (!element || element === document.body) return false;
      const { overflowX, clipPath, position } = getComputedStyle(element);
      if (["auto", "scroll", "hidden", "clip"].includes(overflowX) || clipPath !== "none") return true;
      return position !== "fixed" && isWithin(element.parentElement);
    };
    for (const element of document.querySelectorAll("main *, .strip *, .status-line *")) {
      const { left, right, width } = element.getBoundingClientRect();
      const isSeen = width > 1 && element.checkVisibility() && !isWithin(element);
      if (isSeen && (left < -1 || right > clientWidth + 1))
        found.push(`${element.outerHTML.slice(0, 120)}: ${Math.round(left)} to ${Math.round(right)}`);
    }
    return found;
  });
}

/** Walks the page by Tab and returns what gets the focus without showing it, or in a place that cannot be seen. */
export async function invisibleFocus(page: Page, steps: number): Promise<string[]> {
  const found: string[] = [];
  for (let step = 0; step < steps; step += 1) {
    await page.keyboard.press("Tab");
    const finding = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      const shown = element.shadowRoot?.activeElement ?? element;
      const look = (each: Element) => {
        const { outlineStyle, outlineWidth, boxShadow, borderColor, backgroundColor } = getComputedStyle(each);
        return [outlineStyle === "none" ? "" : outlineWidth, boxShadow, borderColor, backgroundColor].join(" ");
      };
      // A field may show the focus on its frame, also from within a shadow root.
      const chain = [
        shown,
        shown.parentElement,
        shown.parentElement?.parentElement,
        element,
        element.parentElement,
      ].filter((each) => each instanceof Element);
      const focused = chain.map(look);
      const { width, height } = shown.getBoundingClientRect();
      if (shown instanceof HTMLElement) shown.blur();
      const blurred = chain.map(look);
      if (element instanceof HTMLElement) element.focus({ preventScroll: true });
      const isSeen = width > 0 && height > 0 && focused.some((each, at) => each !== blurred[at]);
      return isSeen ? null : shown.outerHTML.slice(0, 120);
    });
    if (finding !== null && !found.includes(finding)) found.push(finding);
  }
  return found;
}
