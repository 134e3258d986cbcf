import type { Browser } from "playwright-core";

/** Puts pictures side by side into one small file. */
export async function drawSheet(browser: Browser, pictures: readonly Buffer[], path: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 200, height: 200 }, deviceScaleFactor: 0.5 });
  try {
    const images = pictures.map((picture) => `<img src="data:image/png;base64,${picture.toString("base64")}">`);
    await page.setContent(
      `<body style="margin:0;padding:12px;background:#888"><div style="display:flex;gap:12px;align-items:start;width:max-content">${images.join("")}</div>`,
    );
    await page.locator("div").screenshot({ path, type: "jpeg", quality: 50 });
  } finally {
    await page.close();
  }
}
