import { stat } from "node:fs/promises";
import type { Browser } from "playwright-core";

const MAX_BYTES = 150_000;
const QUALITIES = [60, 50, 40, 30, 20];

/** Puts pictures of one page side by side, two in a row, into one file of at most 150 kB. Answers its size. */
export async function drawSheet(browser: Browser, pictures: readonly Buffer[], path: string): Promise<number> {
  const page = await browser.newPage({ viewport: { width: 200, height: 200 }, deviceScaleFactor: 0.5 });
  try {
    const images = pictures.map((picture) => `<img src="data:image/png;base64,${picture.toString("base64")}">`);
    await page.setContent(
      `<body style="margin:0;padding:12px;background:#888"><div style="display:grid;grid-template-columns:max-content max-content;gap:12px;align-items:start;width:max-content">${images.join("")}</div>`,
    );
    for (const quality of QUALITIES) {
      await page.locator("div").screenshot({ path, type: "jpeg", quality });
      const { size } = await stat(path);
      if (size <= MAX_BYTES) return size;
    }
    throw new Error(`${path} has more than ${MAX_BYTES} bytes`);
  } finally {
    await page.close();
  }
}
