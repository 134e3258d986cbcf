import { type Browser, chromium } from "playwright-core";

export interface BrowserOptions {
  /** The home folder, in which the browser looks for trusted authorities. */
  home?: string;
  /** Further arguments of the program. */
  args?: readonly string[];
}

/** Debian's Chromium, headless and without background network traffic. */
export function launchBrowser({ home, args = [] }: BrowserOptions = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: "/usr/bin/chromium",
    ...(home !== undefined && { env: { ...process.env, HOME: home } }),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...args,
    ],
  });
}
