import type { Browser, Page } from "playwright-core";
import { onTestFinished } from "vitest";

export interface VisitOptions {
  url: string;
  /** In the form of the device's QR code: behind the #. */
  token?: string;
  path?: string;
  language?: "en" | "ar";
  theme?: "light" | "dark";
  /** What this browser remembers from an earlier visit. */
  kept?: Readonly<Record<string, string>>;
  width?: number;
  height?: number;
  /** Runs before the page is opened. */
  prepare?: (page: Page) => Promise<void>;
}

export interface Visit {
  page: Page;
  /** Everything the browser complained of, and every request to anything but the device. */
  complaints: string[];
}

const LOCALE = { en: "en-GB", ar: "ar-EG" } as const;

/** This browser does not trust the device's certificate, so it does not install the page either. */
const NO_WORKER = "error occurred when fetching the script.";

/** Opens the dashboard in a fresh browser profile, as a first-time visitor would. */
export async function visit(browser: Browser, options: VisitOptions): Promise<Visit> {
  const { url, token, path = "/", language = "en", theme = "light", width = 360, height = 740, kept = {} } = options;
  const context = await browser.newContext({
    locale: LOCALE[language],
    colorScheme: theme,
    ignoreHTTPSErrors: true,
    viewport: { width, height },
    reducedMotion: "reduce",
  });
  onTestFinished(() => context.close());
  await context.addInitScript((entries) => {
    for (const [name, value] of entries) localStorage.setItem(name, value);
  }, Object.entries(kept));
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    const isComplaint = message.type() === "error" || message.type() === "warning";
    if (isComplaint && !message.text().includes(NO_WORKER)) complaints.push(message.text());
  });
  const { host } = new URL(url);
  const watch = (address: string) => new URL(address).host === host || complaints.push(address);
  context.on("request", (request) => watch(request.url()));
  page.on("websocket", (socket) => watch(socket.url()));
  await options.prepare?.(page);
  await page.goto(`${url}${path}${token ? `#${token}` : ""}`);
  await page.locator("h1").first().waitFor();
  return { page, complaints };
}
