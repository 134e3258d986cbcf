import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { createShowcaseMaker } from "../../../testing/fixtures/showcase-reports.ts";
import { runVerify } from "../../boot/commands/verify-command.ts";
import { CASE_IDS } from "../../demo/story.ts";
import type { ReportFormat } from "./reports.schema.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "verified-report-"));
}, 60_000);

async function makeReport(format: ReportFormat): Promise<string> {
  const request = { report_type: "investigation", case_id: CASE_IDS.movement, format } as const;
  return (await createShowcaseMaker(new Date("2026-11-15T10:00:00Z")).make("amina", request)).content;
}

/** Returns the exit code and output of the verifier for a file with this content. */
async function verify(name: string, content: string | Buffer) {
  const path = join(folder, name);
  await writeFile(path, content);
  let output = "";
  const write = (text: string) => {
    output += text;
  };
  return { code: await runVerify(["verify", path], { write, writeError: write }), output };
}

it("verifies the bundle in an investigation report as JSON and in the record of such a report", async () => {
  const content = await makeReport("json");
  for (const given of [content, JSON.stringify({ id: "r", format: "json", content })]) {
    const { code, output } = await verify("report.json", given);
    expect(output).toMatch(`GENUINE: case ${CASE_IDS.movement} has 4 entries`);
    expect(output).toMatch(/the words of the report are not signed/);
    expect(code).toBe(0);
  }
});

it("rejects a changed bundle in a report, and a bundle without its format", async () => {
  const content = await makeReport("json");
  const changed = await verify("changed.json", content.replaceAll("Memory image", "Memory fake"));
  expect(changed).toEqual({ code: 1, output: expect.stringMatching(/^NOT GENUINE: /) });
  const { format: _, ...bundle } = JSON.parse(content).ledger_bundle;
  const unnamed = await verify("unnamed.json", JSON.stringify(bundle));
  expect(unnamed).toEqual({ code: 1, output: expect.stringMatching(/^NOT GENUINE: the bundle has no format/) });
});

it.each([
  ["pdf", /it is a PDF\. Give the file that is attached/],
  ["html", /it is HTML\. Save the text of its element ledger-bundle/],
  ["markdown", /it is Markdown\. Save the text of its last block/],
] as const)("explains that a report as %s is not a bundle and what to pass instead", async (format, why) => {
  const content = await makeReport(format);
  const { code, output } = await verify(
    `report.${format}`,
    format === "pdf" ? Buffer.from(content, "base64") : content,
  );
  expect(output).toMatch(/^NOT A BUNDLE: .* was not verified: /);
  expect(output).toMatch(why);
  expect(code).toBe(2);
});

it.each([
  ["a text", "hello", /it is not JSON\. Pass the bundle of the case/],
  ["other JSON", '{"alerts": []}', /it is JSON without a bundle\. Pass the bundle/],
  ["a report without a bundle", '{"title": "x", "ledger_bundle": null}', /it is JSON without a bundle/],
])("explains that %s is not a bundle", async (_name, content, why) => {
  expect(await verify("other", content)).toEqual({ code: 2, output: expect.stringMatching(why) });
});
