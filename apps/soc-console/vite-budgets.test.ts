import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { expect, it, onTestFinished } from "vitest";
import { type Budgets, limitBytes } from "./vite-budgets.ts";

const KILOBYTE = 1000;
const BUDGETS: Budgets = {
  firstScript: 20 * KILOBYTE,
  firstStyle: 5 * KILOBYTE,
  page: 10 * KILOBYTE,
  largePages: { hunt: 30 * KILOBYTE },
};

/** Text that does not get smaller when it is compressed: three quarters of its length remain. */
const makeText = (bytes: number) => randomBytes(bytes).toString("base64");

interface Sizes {
  first?: number;
  style?: number;
  page?: number;
  hunt?: number;
}

/** Builds a page with parts of these sizes by the real bundler. */
async function buildPage({ first = 0, style = 0, page = 0, hunt = 0 }: Sizes) {
  const root = await mkdtemp(join(tmpdir(), "budgets-"));
  onTestFinished(() => rm(root, { recursive: true }));
  const write = (name: string, text: string) => writeFile(join(root, name), text);
  await write(
    "index.html",
    `<!doctype html><link rel="stylesheet" href="/main.css"><script type="module" src="/main.js"></script>`,
  );
  await write("main.css", `.first::after { content: "${makeText(style)}"; }`);
  const pages = `import("./page.js"); import("./hunt-page.js");`;
  await write("main.js", `import "./shared.js"; window.first = "${makeText(first)}"; ${pages}`);
  await write("shared.js", `window.shared = "${makeText(KILOBYTE)}";`);
  await write("page.js", `import "./shared.js"; window.page = "${makeText(page)}";`);
  await write("hunt-page.js", `window.hunt = "${makeText(hunt)}";`);
  return build({
    root,
    configFile: false,
    logLevel: "silent",
    plugins: [limitBytes(BUDGETS)],
    build: { write: false, modulePreload: { polyfill: false } },
  });
}

it("builds a page within its budgets", async () => {
  await expect(
    buildPage({ first: 15 * KILOBYTE, style: 4 * KILOBYTE, page: 9 * KILOBYTE, hunt: 28 * KILOBYTE }),
  ).resolves.toBeDefined();
});

it.each<[string, Sizes, RegExp]>([
  ["script of the start page", { first: 21 * KILOBYTE }, /first script has \d+ bytes of 20000/],
  ["style", { style: 6 * KILOBYTE }, /first style has \d+ bytes of 5000/],
  ["page", { page: 11 * KILOBYTE }, /page has \d+ bytes of 10000/],
  ["large page", { hunt: 31 * KILOBYTE }, /hunt-page has \d+ bytes of 30000/],
])("fails the build when a %s is too large", async (_part, sizes, finding) => {
  await expect(buildPage(sizes)).rejects.toThrow(finding);
});
