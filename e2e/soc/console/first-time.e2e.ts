import { launchBrowser } from "@kit/testing/browser";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { select } from "../../counts.ts";
import { type StartedService, startService } from "../../services.ts";
import { settled, visit } from "./visit.ts";

// How a first-time user finds something from the overview, guided only by the text on the screen.

/** A click on a visible element, or the key printed next to it. */
type Step = { click: (page: Page) => Locator } | { press: string };

interface Task {
  question: string;
  steps: readonly Step[];
  /** The text that answers the question. */
  found: (page: Page) => Locator;
}

const MAX_MEDIAN = 4;

const rail = (name: string): Step => ({
  click: (page) => page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name }),
});
const tab = (name: string | RegExp): Step => ({
  click: (page) => page.getByRole("link", { name }).or(page.getByRole("tab", { name })).first(),
});
const row = (text: string | RegExp): Step => ({
  click: (page) => page.getByRole("row").filter({ hasText: text }).first(),
});
const heading = (name: string | RegExp) => (page: Page) => page.getByRole("heading", { name }).first();
const text = (part: string | RegExp) => (page: Page) => page.locator("main").getByText(part).first();

const TASKS: readonly Task[] = [
  { question: "Which alerts need me?", steps: [rail("Alerts")], found: heading("Alerts") },
  { question: "Why did the newest alert fire?", steps: [rail("Alerts")], found: text("Why it fired") },
  { question: "Which approvals wait, and for how long?", steps: [rail("Approvals")], found: text(/left|expires/) },
  {
    question: "Which evidence does a case have?",
    steps: [rail("Cases"), row(/./), { press: "Enter" }, tab(/Evidence/)],
    found: text(/sha256|proof|evidence/i),
  },
  {
    question: "Which logs came in lately?",
    steps: [rail("Hunt"), { press: "Control+Enter" }],
    found: (page) => page.getByRole("grid").getByRole("row").nth(1),
  },
  { question: "Which rules need a look?", steps: [rail("Detections"), tab("Health")], found: text(/late|silent/) },
  { question: "Which techniques are covered?", steps: [rail("ATT&CK")], found: text(/\d+ of \d+ covered/) },
  { question: "Is this address known to be bad?", steps: [rail("Indicators")], found: heading("Indicators") },
  {
    question: "What does a playbook do, step by step?",
    steps: [rail("Playbooks"), row(/./), { press: "Enter" }],
    found: text(/1/),
  },
  {
    question: "How did the last runs end?",
    steps: [rail("Runs")],
    found: (page) =>
      page
        .getByRole("row")
        .filter({ hasText: /completed|failed|timed out/ })
        .first(),
  },
  { question: "Is a host isolated, and did it report so?", steps: [rail("Endpoints")], found: text(/isolated/) },
  { question: "Which devices are untrusted, and why?", steps: [rail("Devices")], found: text(/measurement|untrusted/) },
  { question: "What belongs together?", steps: [rail("Devices"), tab("Correlations")], found: heading("Correlations") },
  { question: "What do the agents do now?", steps: [rail("Agents")], found: heading("Agents") },
  { question: "Is the ledger sound?", steps: [rail("Ledger")], found: text(/No alarm|alarm/i) },
  {
    question: "Who changed what?",
    steps: [rail("Audit")],
    found: (page) => page.getByRole("columnheader", { name: "What changed" }),
  },
  { question: "Read a report", steps: [rail("Reports"), row(/./), { press: "Enter" }], found: heading(/./) },
  { question: "Which source is silent?", steps: [rail("Settings"), tab("Sources")], found: text(/silent/) },
  { question: "Who may do what?", steps: [rail("Settings"), tab("Roles")], found: text(/tier1|admin/) },
  { question: "Which keys does this page have?", steps: [{ press: "?" }], found: (page) => page.getByRole("dialog") },
];

let browser: Browser;
let soc: StartedService;

beforeAll(async () => {
  [soc, browser] = await Promise.all([startService("soc", { SOC_MODE: "dummy" }), launchBrowser()]);
}, 300_000);
afterAll(async () => {
  await browser.close();
  await soc.stop();
});

async function take(page: Page, step: Step): Promise<void> {
  if ("press" in step) await page.keyboard.press(step.press);
  else await step.click(page).click();
}

// Each begins at the overview: a build asks a few.
it.each(select({ ci: TASKS.filter((_, at) => at % 5 === 3), full: TASKS }))(
  "answers in few clicks: $question",
  async ({ steps, found }) => {
    const { page } = await visit(browser, { url: soc.url });
    await settled(page);
    for (const step of steps) {
      await take(page, step);
      await settled(page);
    }
    await found(page).waitFor();
  },
);

it("needs few clicks and keys in total", () => {
  const counts = TASKS.map(({ steps }) => steps.length).toSorted((a, b) => a - b);
  process.stdout.write(
    `clicks and keys of ${TASKS.length} tasks: median ${counts[Math.floor(counts.length / 2)]}, most ${counts.at(-1)}\n`,
  );
  expect(TASKS).toHaveLength(20);
  expect(counts[Math.floor(counts.length / 2)]).toBeLessThanOrEqual(MAX_MEDIAN);
});
