import type { Page } from "playwright-core";

/** The rows of the page's list that are drawn, in their order, as the texts of their cells. */
function readRows(page: Page): Promise<string[][]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("main [role=row][data-row]")]
      .filter((row) => row.getAttribute("aria-busy") !== "true")
      .toSorted((one, other) => Number(one.dataset.row) - Number(other.dataset.row))
      .map((row) => [...row.querySelectorAll("[role=gridcell]")].map((cell) => cell.textContent?.trim() ?? "")),
  );
}

/** The texts of the drawn rows, each in one line. */
export async function readLines(page: Page): Promise<string[]> {
  return (await readRows(page)).map((cells) => cells.join(" "));
}
