import { createClock } from "@kit/clock";
import { launchBrowser } from "@kit/testing/browser";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { isFull, select } from "../../counts.ts";
import { type StartedSoc, startSoc } from "../client.ts";
import { startDatabase, type TestDatabase } from "../database.ts";
import { audit } from "./audit.ts";
import { createKeyboard } from "./keyboard.ts";
import { settled, visit } from "./visit.ts";

// A real browser, a real service with PostgreSQL and the log engine, and logs that came in through the intake.

const clock = createClock();
const HOSTILE = `"><img src=x onerror=alert(1)>`;
const WITH_SLASH = "corp/web.example/ws1$";
/** The browser's message about a failed request, which the tests cause. */
const REFUSED = /Failed to load resource/;
/** The counts of the rail may take too long for a busy machine; the page does not need them. */
const COUNTS = /503 .*stats\/overview/;

let browser: Browser;
let database: TestDatabase;
let soc: StartedSoc;

beforeAll(async () => {
  [database, browser] = await Promise.all([startDatabase(), launchBrowser()]);
  soc = await startSoc(database.url);
  const minutes = (count: number) => new Date(clock.now().getTime() - count * 60_000).toISOString();
  await ingest([
    ...Array.from({ length: 300 }, (_, at) => ({
      timestamp: minutes(1 + at),
      source: at % 3 === 0 ? "sshd" : "winlog",
      host: ["fin-ws-014", "hr-ws-033", "vpn-gw-1"][at % 3],
      user: at % 2 === 0 ? "m.haddad" : "svc-backup",
      severity: at % 10 === 0 ? "high" : "info",
      message: at % 3 === 0 ? `Failed password, try ${at}` : `powershell.exe -nop -enc ${at}`,
    })),
    {
      timestamp: minutes(2),
      source: "hostile",
      host: HOSTILE,
      user: "=cmd()",
      message: "invoice\u202efdp.exe <b>bold</b>",
    },
    { timestamp: minutes(3), source: "hostile", host: WITH_SLASH, user: "x", message: "a host with slashes" },
  ]);
}, 300_000);
afterAll(async () => {
  await browser.close();
  await soc.service.stop();
  await database.remove();
});

async function ingest(events: readonly object[]): Promise<void> {
  const { status, body } = await soc.client.post("/siem/ingest", events);
  expect([status, body.accepted]).toEqual([202, events.length]);
}

const rows = (page: Page) => page.locator("main [role=row][data-row]");

async function open(path: string, options: Partial<Parameters<typeof visit>[1]> = {}) {
  const visited = await visit(browser, { url: soc.service.url, path, expected: COUNTS, ...options });
  await settled(visited.page);
  return visited;
}

/** Writes a query in the editor and runs it by keys. */
async function runQuery(page: Page, query: string): Promise<void> {
  await page.getByRole("textbox", { name: "Query" }).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type(query);
  await page.keyboard.press("ControlOrMeta+Enter");
}

/** Narrows by a value. A busy engine counts values in part, and the page says so: the analyst runs the query again. */
async function narrow(page: Page, name: string): Promise<void> {
  await settled(page);
  const value = page.getByRole("button", { name });
  const partial = page.locator(".search-facets .search-partial");
  for (let runs = 0; runs < 5 && (await partial.count()) > 0 && (await value.count()) === 0; runs += 1) {
    await page.getByRole("textbox", { name: "Query" }).press("ControlOrMeta+Enter");
    await settled(page);
  }
  await value.press("Enter");
}

it("leads from a query through a facet to an alert and to a rule that is not enabled", async () => {
  const { page, complaints, requests } = await open("/hunt");
  await page.locator(".search-total").getByText("100 of 302").waitFor();
  await runQuery(page, "powershell");
  await page.locator(".search-total").getByText("of 200").waitFor();
  expect(new URL(page.url()).searchParams.get("q")).toBe("powershell");

  await narrow(page, "Only host:hr-ws-033");
  await page.locator(".search-total").getByText("of 100").waitFor();
  expect(new URL(page.url()).searchParams.get("q")).toBe("powershell host:hr-ws-033");
  await settled(page);

  const keys = createKeyboard(page);
  await page.getByRole("grid").focus();
  await keys.press("j", "x", "j", "x", "p");
  await page.getByRole("heading", { name: "Promote 2 logs to alerts" }).waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Promote", exact: true }).click();
  await expect.poll(() => page.getByRole("dialog").getByRole("link").count()).toBe(2);
  const { body: alerts } = await soc.client.get("/alerts?host=hr-ws-033");
  expect(alerts.items).toHaveLength(2);
  await page.getByRole("button", { name: "Done" }).click();

  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Turn into a rule" }).click();
  await page.getByRole("link", { name: "100 matches" }).waitFor();
  await page.getByLabel("Name", { exact: true }).fill("PowerShell in personnel");
  await page.keyboard.press("ControlOrMeta+s");
  await page.getByText("Saved as version 1").waitFor();
  const { body: rules } = await soc.client.get("/detections/rules?q=personnel");
  expect(rules.items).toMatchObject([{ query: "powershell host:hr-ws-033", enabled: false, alert_severity: "medium" }]);

  expect(requests.mostInAMinute()).toBeLessThanOrEqual(60);
  expect(complaints).toEqual([]);
});

it.runIf(isFull)("names the suppression that refuses a promotion", async () => {
  const { body: rule } = await soc.client.post("/detections/rules", { name: "Passwords", query: "failed password" });
  const { status } = await soc.client.post(`/detections/rules/${rule.id}/suppressions`, {
    name: "Known scanner",
    reason: "a test",
    criteria: { host: "fin-ws-014" },
    suppress_for_hours: 1,
  });
  expect(status).toBe(201);
  const { page } = await open("/hunt?q=host%3Afin-ws-014", { expected: REFUSED });
  await page.getByRole("grid").focus();
  await createKeyboard(page).press("j", "p");
  await page.getByLabel("As a match of the rule").selectOption({ label: "Passwords" });
  await page.getByRole("dialog").getByRole("button", { name: "Promote", exact: true }).click();
  await page.getByText(/Known scanner/).waitFor();
});

it.runIf(isFull)("shows hostile values as text in rows, facets, pane and on the page of the entity", async () => {
  const { page, complaints } = await open("/hunt?q=source%3Ahostile");
  await rows(page).filter({ hasText: HOSTILE }).click();
  await page.keyboard.press("Space");
  const pane = page.getByRole("complementary", { name: "Log" });
  await pane.getByText("⟨U+202E⟩").first().waitFor();
  expect(await page.locator("main img, main b").count()).toBe(0);
  await pane.getByRole("link", { name: /Open the page of ">/ }).click();
  await page.getByRole("heading", { level: 1, name: HOSTILE }).waitFor();
  await page.goBack();
  await settled(page);
  await rows(page).filter({ hasText: WITH_SLASH }).click();
  await page.getByRole("link", { name: `Open the page of ${WITH_SLASH}` }).click();
  await page.getByRole("heading", { level: 1, name: WITH_SLASH }).waitFor();
  await page.reload();
  await page.getByRole("heading", { level: 1, name: WITH_SLASH }).waitFor();
  await settled(page);
  expect(await page.locator("main .error-state").count()).toBe(0);
  expect(complaints).toEqual([]);
});

it.runIf(isFull)("narrows by a hostile value to its log", async () => {
  const { page, complaints } = await open("/hunt?q=source%3Ahostile");
  await rows(page).filter({ hasText: HOSTILE }).click();
  await page.keyboard.press("Space");
  await page
    .getByRole("button", { name: /^Only host:/ })
    .last()
    .click();
  await page.locator(".search-total").getByText("1 of 1").waitFor();
  expect(complaints).toEqual([]);
});

it("stops a long search on the service when another starts and when the user cancels", async () => {
  const held: string[] = [];
  const { page } = await visit(browser, {
    url: soc.service.url,
    path: "/hunt?q=slow",
    expected: REFUSED,
    prepare: async (opened) => {
      // The search never reaches the service: it is as slow as one can be.
      await opened.route(/\/siem\/logs\?.*query=slow/, (route) => void held.push(route.request().url()));
    },
  });
  await page.getByText(/The service stops a search after 20 s/).waitFor();
  const first = new URL(held[0] ?? "").searchParams.get("search_id");
  const stopped = page.waitForRequest((request) => request.method() === "DELETE");
  await runQuery(page, "slow2");
  expect((await stopped).url()).toContain(`/siem/searches/${first}`);
  await page.getByText(/The service stops a search after 20 s/).waitFor();
  const cancelled = page.waitForRequest((request) => request.method() === "DELETE");
  await page.getByRole("button", { name: "Cancel" }).click();
  expect((await cancelled).url()).toContain(new URL(held.at(-1) ?? "").searchParams.get("search_id"));
});

it.runIf(isFull)("reports that the log store does not answer, while saved hunts still open", async () => {
  await soc.client.post("/siem/hunts", { title: "Kept", query: "powershell" });
  const { page } = await visit(browser, {
    url: soc.service.url,
    path: "/hunt",
    expected: REFUSED,
    prepare: async (opened) => {
      await opened.route(/\/api\/v1\/siem\/(logs|fields)/, (route) =>
        route.fulfill({ status: 503, json: { detail: "the log store does not answer" } }),
      );
    },
  });
  await page.getByText("The logs cannot be searched now").waitFor();
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Saved hunts" }).click();
  await page.getByRole("link", { name: "Kept" }).click();
  await page.getByRole("heading", { level: 1, name: "Kept" }).waitFor();
});

it("follows new logs and pauses while the user scrolls, without losing any", async () => {
  const { page, complaints } = await open("/hunt?q=source%3Alive&tail=1");
  const phase = page.locator(".search-tail-phase");
  await phase.getByText("Live", { exact: true }).waitFor();
  const send = (from: number, count: number) =>
    ingest(Array.from({ length: count }, (_, at) => ({ source: "live", host: "h", message: `event ${from + at}` })));
  await send(0, 60);
  await expect.poll(() => page.locator(".status-line").textContent(), { timeout: 30_000 }).toContain("60 rows");
  await page.locator(".list-scroller").evaluate((scroller) => scroller.scrollTo(0, 400));
  await phase.getByText("Paused by scrolling").waitFor();
  await send(60, 5);
  await phase.getByText("5 new logs wait").waitFor();
  await page.keyboard.press(".");
  await phase.getByText("Live", { exact: true }).waitFor();
  await rows(page).filter({ hasText: "event 64" }).waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await phase.getByText("Stopped").waitFor();
  expect(complaints).toEqual([]);
});

const LOOKS = [
  ["/hunt?q=host%3Ahr-ws-033", "dark", 1024, "ar"],
  ["/hunt", "light", 1440, "en"],
  ["/entity/host/hr-ws-033", "dark", 1440, "en"],
  ["/entity/host/hr-ws-033", "light", 1024, "ar"],
] as const;

it.each(select({ ci: LOOKS.slice(0, 1), full: LOOKS }))(
  "finds no fault on %s in %s, %s wide, in %s",
  async (path, theme, width, language) => {
    const { page, complaints } = await open(path, { theme, width, height: width === 1440 ? 900 : 768, language });
    expect(await audit(page)).toEqual({ axe: [], small: [], cut: [] });
    // In a narrow window the pane covers the rows.
    if (path.startsWith("/hunt") && width === 1440) {
      await rows(page).first().click();
      await page.keyboard.press("Space");
      await page.locator(".search-pane").waitFor();
      expect(await audit(page)).toEqual({ axe: [], small: [], cut: [] });
    }
    expect(complaints).toEqual([]);
  },
);
