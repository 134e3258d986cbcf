import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { launchBrowser } from "@kit/testing/browser";
import { expect, it } from "vitest";
import { CASE, createSampleKey, createSampleLedger } from "../../../testing/fixtures/sample-ledger.ts";

it("shows its verdict in a browser that is offline", async () => {
  const key = createSampleKey();
  const bundle = await createSampleLedger(key, 20).bundle(CASE);
  const folder = await mkdtemp(join(tmpdir(), "verifier-"));
  const whole = join(folder, "bundle.json");
  const cut = join(folder, "cut.json");
  await writeFile(whole, JSON.stringify(bundle));
  const report = join(folder, "report.json");
  const other = join(folder, "report.md");
  await writeFile(report, JSON.stringify({ title: "Investigation", ledger_bundle: bundle }));
  await writeFile(other, "# Investigation");
  await writeFile(cut, JSON.stringify({ ...bundle, entries: bundle.entries.slice(0, -1) }));

  const browser = await launchBrowser();
  try {
    const page = await (await browser.newContext({ offline: true })).newPage();
    await page.goto(pathToFileURL(join(import.meta.dirname, "verifier.html")).href);
    const verdictOn = async (path: string) => {
      await page.setInputFiles("#file", path);
      await page.waitForFunction(() =>
        /GENUINE|Not verified/.test(document.querySelector("output")?.textContent ?? ""),
      );
      return page.textContent("output");
    };
    expect(await verdictOn(whole)).toMatch(`GENUINE: case ${CASE} has 20 entries`);
    expect(await verdictOn(cut)).toBe("NOT GENUINE: the end was cut off: entry 20 is missing");
    expect(await verdictOn(report)).toMatch(/GENUINE: case .* has 20 entries.*the words of the report are not signed$/);
    expect(await verdictOn(other)).toMatch(/^Not verified: report\.md is not a bundle\. Give the bundle of a case/);
    await page.fill("#key", "0".repeat(64));
    expect(await verdictOn(whole)).toMatch(/^NOT GENUINE: the bundle is signed by key .*, not by the trusted one$/);
  } finally {
    await browser.close();
  }
});
