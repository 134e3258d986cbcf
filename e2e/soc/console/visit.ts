import type { Browser, BrowserContext, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { ADMIN_PASSWORD } from "../../services.ts";
import { createRequestLog, type RequestLog } from "./request-log.ts";

export interface VisitOptions {
  url: string;
  /** The user, with the password of all test users; null for a visitor who has not signed in. */
  as?: string | null;
  path?: string;
  language?: "en" | "ar";
  theme?: "light" | "dark";
  /** What this browser remembers from an earlier visit. */
  kept?: Readonly<Record<string, string>>;
  width?: number;
  height?: number;
  /** Complaints that the test provokes. */
  expected?: RegExp;
  /** Runs before the page is opened. */
  prepare?: (page: Page) => Promise<unknown>;
}

export interface Visit {
  page: Page;
  context: BrowserContext;
  /** Page errors, console errors and warnings, breaches of the content security policy, dialogs, and requests to other hosts. */
  complaints: string[];
  /** The requests to the API. */
  requests: RequestLog;
}

type Cookies = Parameters<BrowserContext["addCookies"]>[0];

const LOCALE = { en: "en-GB", ar: "ar-EG" } as const;
/** Signing in is slow by intent: visits of the same user share a session. */
const sessions = new Map<string, Promise<Cookies>>();
/** The answer that makes a visitor without a session sign in. */
const NO_SESSION = /status of 401/;
/** The service refuses what takes too long on a busy machine; what the page says then is tested where it is provoked. */
const TOO_BUSY = /status of 503 .*\/(?:stats\/overview|dashboard\/stats)$/;

/** Opens the console in a fresh browser profile, signed in, and watches what the browser complains of. */
export async function visit(browser: Browser, options: VisitOptions): Promise<Visit> {
  const { url, as = "admin", path = "/", language = "en", theme = "light", width = 1440, height = 900 } = options;
  const context = await browser.newContext({
    locale: LOCALE[language],
    timezoneId: "UTC",
    colorScheme: theme,
    viewport: { width, height },
    reducedMotion: "reduce",
  });
  onTestFinished(() => context.close());
  if (as !== null) await context.addCookies(await findSession(browser, url, as));
  await context.addInitScript(
    (entries) => {
      for (const [name, value] of entries) if (localStorage.getItem(name) === null) localStorage.setItem(name, value);
      document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sample }) =>
        console.error(`CSP ${violatedDirective}: ${blockedURI} ${sample}`),
      );
    },
    Object.entries(options.kept ?? {}),
  );
  const expected = as === null ? NO_SESSION : options.expected;
  const { complaints, requests } = watch(context, new URL(url).host, (text) => expected?.test(text) ?? false);
  const page = await context.newPage();
  await options.prepare?.(page);
  await page.goto(`${url}${path}`);
  await page.locator("h1").first().waitFor();
  return { page, context, complaints, requests };
}

function watch(context: BrowserContext, host: string, isExpected: (text: string) => boolean) {
  const complaints: string[] = [];
  const requests = createRequestLog();
  const complain = (text: string) => {
    if (!isExpected(text) && !TOO_BUSY.test(text)) complaints.push(text);
  };
  const isOurs = (address: string) => new URL(address).host === host;
  context.on("weberror", (error) => complain(String(error.error())));
  context.on("dialog", (dialog) => {
    complain(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on("console", (message) => {
    const isComplaint = message.type() === "error" || message.type() === "warning";
    if (isComplaint) complain(`${message.text()} ${message.location().url}`.trim());
  });
  context.on("request", (request) => {
    if (!isOurs(request.url()) && !request.url().startsWith("blob:")) complain(`request to ${request.url()}`);
    else if (new URL(request.url()).pathname.startsWith("/api/")) requests.add(request);
  });
  context.on("page", (page) =>
    page.on("websocket", (socket) => isOurs(socket.url()) || complain(`socket to ${socket.url()}`)),
  );
  return { complaints, requests };
}

function findSession(browser: Browser, url: string, username: string): Promise<Cookies> {
  const name = `${url} ${username}`;
  const found = sessions.get(name) ?? signIn(browser, url, username);
  sessions.set(name, found);
  return found;
}

/** Signs in as a browser does, and returns the cookies of the session. */
async function signIn(browser: Browser, url: string, username: string): Promise<Cookies> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(`${url}/theme.js`);
    const status = await page.evaluate(
      async (body) => {
        const headers = { "content-type": "application/json" };
        return (await fetch("/api/v1/auth/token", { method: "POST", headers, body })).status;
      },
      JSON.stringify({ username, password: ADMIN_PASSWORD }),
    );
    if (status !== 200) throw new Error(`${username} cannot sign in: ${status}`);
    const cookies = await context.cookies();
    // Chromium keeps a __Host- cookie for http://localhost, but takes it from a test only as one of https.
    return cookies.map(({ name, value }) => ({ name, value, url: url.replace(/^http:/, "https:"), secure: true }));
  } finally {
    await context.close();
  }
}

const WAITING = "main [aria-busy=true], main .skeleton, main .list-missing, .yaml-editor-plain, .console-asking";
const SETTLED_MS = 60_000;

/** Waits until the page has finished loading: no request is open, and no placeholder rows are shown. */
export async function settled(page: Page): Promise<void> {
  try {
    await page.waitForFunction((waiting) => !document.querySelector(waiting), WAITING, { timeout: SETTLED_MS });
  } catch (cause) {
    const found = await page.locator(WAITING).evaluateAll((all) => all.map((each) => each.outerHTML.slice(0, 160)));
    throw new Error(`the page still waits:\n${found.join("\n")}`, { cause });
  }
  await page.evaluate(() => document.fonts.ready);
}
