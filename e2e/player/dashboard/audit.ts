import axe from "axe-core";
import type { Page } from "playwright-core";

interface AxeResult {
  violations: { id: string; nodes: { target: string[]; failureSummary?: string }[] }[];
}

/** The axe violations of the current page, one line each. */
export async function axeFindings(page: Page): Promise<string[]> {
  // Evaluated by the browser instead of the page, whose content security policy forbids foreign scripts.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResult>("axe.run(document, { resultTypes: ['violations'] })");
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = "" }) => `${id}: ${target.join(" ")} (${failureSummary.split("\n").at(-1)})`),
  );
}

const SMALLEST = 48;

/** Touch targets that are smaller than 48 pixels in either direction. */
export async function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate((smallest) => {
    const found: string[] = [];
    for (const element of document.querySelectorAll(
      "a[href], button, input, select, textarea, summary, [role=switch]",
    )) {
      const { width, height } = element.getBoundingClientRect();
      const isSeen = element.checkVisibility({ visibilityProperty: true }) && width > 0 && !element.closest(".skip");
      if (isSeen && Math.min(width, height) < smallest - 0.5) {
        found.push(`${element.outerHTML.slice(0, 120)}: ${Math.round(width)}x${Math.round(height)}`);
      }
    }
    return found;
  }, SMALLEST);
}

/** Elements beyond the page's side edges, which would make a phone scroll sideways. */
export async function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    const found = scrollWidth > clientWidth ? [`the page is ${scrollWidth} wide in ${clientWidth}`] : [];
    /** Cut by intent: an ornament, a list that scrolls, or what is only for screen readers. */
    const isWithin = (element: Element | null): boolean => {
      if (!element || element.tagName === "MAIN") return false;
      const { overflowX, clipPath } = getComputedStyle(element);
      return overflowX !== "visible" || clipPath !== "none" || isWithin(element.parentElement);
    };
    for (const element of document.querySelectorAll("main *, header *, footer *")) {
      const { left, right, width } = element.getBoundingClientRect();
      const isSeen = width > 1 && element.checkVisibility() && !isWithin(element);
      if (isSeen && (left < -1 || right > clientWidth + 1)) {
        found.push(`${element.outerHTML.slice(0, 120)}: ${Math.round(left)} to ${Math.round(right)}`);
      }
    }
    return found;
  });
}
