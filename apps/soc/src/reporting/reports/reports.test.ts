import { inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createShowcaseMaker } from "../../../testing/fixtures/showcase-reports.ts";
import { verifyBundle } from "../../cases/ledger/verify.ts";
import { CASE_IDS } from "../../demo/story.ts";
import { sha256, verifyEd25519 } from "../../foundation/records/digest.ts";
import { makeVisible } from "../../foundation/records/visible-text.ts";
import { withinBudget } from "./report-budget.ts";
import { cleaned, facts, heading, paragraph, type ReportDocument, table } from "./report-document.ts";
import { toHtml } from "./report-html.ts";
import { toMarkdown } from "./report-markdown.ts";
import { toPdf } from "./report-pdf.ts";
import { setText, undrawable } from "./report-pdf-text.ts";

const NOW = new Date("2026-11-15T12:00:00Z");
const investigation = (format: "markdown" | "html" | "json") =>
  createShowcaseMaker(NOW).make("amina", { report_type: "investigation", case_id: CASE_IDS.movement, format });
const judge = async (bundle: string) => verifyBundle(JSON.parse(bundle), { sha256, verifyEd25519 });
const unescapeHtml = (html: string) =>
  html
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

/** Returns the decompressed streams of a PDF: pages, fonts and attachments. */
function inflateStreams(pdf: Buffer): string[] {
  const text = pdf.toString("latin1");
  return [...text.matchAll(/\/FlateDecode.*?stream\n(.*?)\nendstream/gs)].map(([, packed = ""]) =>
    inflateSync(Buffer.from(packed, "latin1")).toString("utf8"),
  );
}

const HOSTILE = [
  `<script>alert(1)</script><img src=x onerror="alert(2)">`,
  "](javascript:alert(3)) ![x](http://evil.example/p.png) **bold** `code` | cell | <!-- ",
  "# heading\n- item\n1. one\n    indented\n```\nfence\n```\n---\n| a | b |",
  "http://evil.example/login www.evil.example ceo@evil.example",
  "\u202egnp.exe\u202c \u0007bell \u0000 nul",
  "مرحبا بالعالم، هذا تقرير 2026 عن FIN-LT-014",
  "😀 🏴‍☠️ 漢字 ✓ → □",
  "A".repeat(5000),
  "{{constructor.constructor('alert(4)')()}} $(7*7) =HYPERLINK(\"http://evil.example\")",
];

function hostileDocument(): ReportDocument {
  return cleaned({
    title: HOSTILE.join(" "),
    report_type: "investigation",
    made_by: HOSTILE[0] ?? "",
    made_at: NOW,
    subject: HOSTILE[1] ?? "",
    blocks: [
      ...HOSTILE.flatMap((text) => [heading(text), paragraph(text)]),
      facts(...HOSTILE.map((text) => ["Name", text] as const)),
      table(
        [
          { name: "A", weight: 1 },
          { name: "B", weight: 3, isCode: true },
        ],
        HOSTILE.map((text) => [text, text]),
      ),
      {
        kind: "timeline",
        entries: HOSTILE.map((text) => ({ at: "2026-01-01 00:00", actor: text, text })),
        more: 3,
      },
      ...(["bar", "line", "donut"] as const).map((form) => ({
        kind: "chart" as const,
        form,
        title: "Sources",
        points: HOSTILE.map((label, value) => ({ label, value })),
      })),
    ],
    ledger_bundle: null,
  });
}

describe("case reports", () => {
  it("contain a bundle that the verifier accepts in each text format", async () => {
    const markdown = (await investigation("markdown")).content;
    const html = (await investigation("html")).content;
    const json = (await investigation("json")).content;
    const bundles = [
      /```json\n(.*)\n```/.exec(markdown)?.[1] ?? "",
      unescapeHtml(/<pre id="ledger-bundle" dir="ltr">(.*)<\/pre>/.exec(html)?.[1] ?? ""),
      JSON.stringify(JSON.parse(json).ledger_bundle),
    ];
    for (const bundle of bundles) {
      expect(await judge(bundle)).toMatchObject({ isGenuine: true, chain: { case_id: CASE_IDS.movement, length: 4 } });
      expect(await judge(bundle.replace("Memory image", "Memory fake"))).toMatchObject({ isGenuine: false });
    }
  });

  it("contain the same bundle as an attachment of the PDF", { timeout: 30_000 }, async () => {
    const made = await createShowcaseMaker(NOW).make("amina", {
      report_type: "investigation",
      case_id: CASE_IDS.movement,
      format: "pdf",
    });
    const [bundle = ""] = inflateStreams(Buffer.from(made.content, "base64")).filter((text) =>
      text.startsWith('{"format":"manara-soc-ledger-1"'),
    );
    expect(await judge(bundle)).toMatchObject({ isGenuine: true, chain: { case_id: CASE_IDS.movement, length: 4 } });
  });

  it("contain everything in the case", async () => {
    const { title, content } = await investigation("markdown");
    expect(title).toBe("Lateral movement from FIN-LT-014 to FILE-SRV-02");
    for (const expected of [
      "## Summary",
      "| Severity | critical |",
      "8 alerts, 5 observables, 2 pieces of evidence, 4 tasks, 3 comments, 0 responses",
      "T1003.001, T1021.001",
      "- 2026-11-14 14:30, TriageAgent: case created from 2 alerts on FIN-LT-014",
      "Encoded PowerShell download cradle executed in memory",
      "| md5 | 7f3a0c51d2b94e68a1f05d3c9be27746 | edr | credential-dumper |",
      "Before the laptop was isolated, so that connections are in it.",
      "| Replace FILE-SRV-02 | todo |",
      "Network drawings of the waterworks were collected.",
      "No playbook, approval or endpoint action is recorded",
      "#1, #2, #4",
    ])
      expect(content).toContain(expected);
  });

  it("list the responses to the case when a response feature reports them", async () => {
    const at = new Date("2026-11-15T07:40:00Z");
    const done = { at, kind: "playbook", what: "isolate-endpoint for FIN-LT-014", status: "completed", by: "daniel" };
    const made = await createShowcaseMaker(NOW, [done]).make("amina", {
      report_type: "investigation",
      case_id: CASE_IDS.movement,
    });
    expect(made.content).toContain(
      "| 2026-11-15 07:40 | playbook | isolate-endpoint for FIN-LT-014 | completed | daniel |",
    );
  });

  it("state that a case without evidence has no ledger entries", async () => {
    const { content } = await createShowcaseMaker(NOW).make("amina", {
      report_type: "investigation",
      case_id: CASE_IDS.backup,
    });
    expect(content).toContain("The case has no entry in the ledger.");
    expect(content).not.toContain("```json");
  });

  it("require an existing case", async () => {
    const maker = createShowcaseMaker(NOW);
    await expect(maker.make("amina", { report_type: "investigation" })).rejects.toThrow(
      "case_id: is required for an investigation",
    );
    await expect(maker.make("amina", { report_type: "executive", case_id: "nope" })).rejects.toThrow(
      "case 'nope' does not exist",
    );
  });
});

describe("period reports", () => {
  it("count the records of the showcase", async () => {
    const { content } = await createShowcaseMaker(NOW).make("hassan", { report_type: "executive" });
    expect(content).toContain("2026-10-16 12:00 to 2026-11-15 12:00");
    expect(content).toContain("| Alerts | 46; before: 0 |");
    expect(content).toContain("| Cases opened | 4; before: 0 |");
    expect(content).toContain("| Cases closed | 1; before: 0 |");
    expect(content).toContain("| Lateral movement from FIN-LT-014 to FILE-SRV-02 | critical | investigating |");
  });

  it("show the handling of records", async () => {
    const { content } = await createShowcaseMaker(NOW).make("ruth", { report_type: "compliance" });
    expect(content).toContain("| Entries under a checkpoint | 10 |");
    expect(content).toContain("## Evidence and custody");
  });

  it.each([
    [{ from: "2026-11-15T00:00:00Z", to: "2026-11-14T00:00:00Z" }, "from: must be before to"],
    [{ from: "2024-01-01T00:00:00Z" }, "from: must be at most 366 days before to"],
    [{ to: "2026-06-30T23:59:60Z" }, "to: '2026-06-30T23:59:60Z' is not a valid time"],
  ])("are refused for %j", async (period, why) => {
    await expect(createShowcaseMaker(NOW).make("ruth", { report_type: "executive", ...period })).rejects.toThrow(why);
  });
});

describe("attacker text in reports", () => {
  it("is visible even if it consists of invisible characters", () => {
    expect(makeVisible("invoice\u202egnp.exe\u0007\r\nnext")).toBe("invoice[U+202E]gnp.exe[U+0007]\nnext");
  });

  it("creates no element or attribute in HTML", () => {
    const html = toHtml(hostileDocument());
    const tags = new Set([...html.matchAll(/<([a-z0-9]+)/gi)].map(([, name]) => name));
    for (const active of ["script", "img", "iframe", "a", "link", "form", "object"]) expect(tags).not.toContain(active);
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect([...html.matchAll(/<[^>]*\son\w+=/g)]).toEqual([]);
    expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'`);
  });

  it("creates no HTML, link, image, heading or cell in Markdown", () => {
    const markdown = toMarkdown(hostileDocument());
    const outside = markdown.replaceAll("<br>", "");
    expect(outside).not.toMatch(/<\w|<!/);
    expect(outside).not.toMatch(/[^\\]\]\(/);
    expect(outside).not.toMatch(/[^\\]:\/\//);
    expect(outside).not.toMatch(/www\.|[^\\]@/);
    const headings = markdown.split("\n").filter((line) => line.startsWith("#"));
    expect(headings).toHaveLength(1 + HOSTILE.length);
    // Only unescaped bars separate cells.
    const rows = markdown.split("\n").filter((line) => line.startsWith("| "));
    for (const row of rows) expect(row.match(/(?<!\\)\|/g)).toHaveLength(3);
    expect(markdown.split("\n").filter((line) => /^(```|---|\d+\.| {4})/.test(line))).toEqual([]);
  });

  it("is rendered to a PDF without actions and external links", { timeout: 30_000 }, async () => {
    const pdf = (await toPdf(hostileDocument())).toString("latin1");
    expect(pdf.slice(0, 5)).toBe("%PDF-");
    expect(pdf).not.toMatch(/\/(JavaScript|JS|URI|Launch|OpenAction|SubmitForm)\b/);
  });
});

describe("report rendering", () => {
  it("refuses the eleventh waiting report and completes the others", async () => {
    const maker = createShowcaseMaker(NOW);
    const asked = Array.from({ length: 14 }, () => maker.make("amina", { report_type: "executive", format: "html" }));
    const answers = await Promise.allSettled(asked);
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
    const [refused] = answers.flatMap((answer) => (answer.status === "rejected" ? [String(answer.reason)] : []));
    expect(refused).toContain("too many reports are being rendered");
    await expect(maker.make("amina", { report_type: "executive" })).resolves.toMatchObject({ format: "markdown" });
  });

  it("omits rows above the limit of a PDF and states their number", () => {
    const rows = Array.from({ length: 30 }, () => ["x".repeat(60)]);
    const [block] = withinBudget(
      { ...hostileDocument(), blocks: [table([{ name: "A", weight: 1 }], rows)] },
      1000,
    ).blocks;
    expect(block).toMatchObject({ rows: { length: 10 }, more: 20 });
  });
});

describe("headings in a PDF", () => {
  // The fill colours of a heading and of a table header in a PDF.
  const [HEADING, HEAD] = [
    /^0\.1215686\d* 0\.3058823\d* 0\.4745098\d* scn$/gm,
    /^0\.9333333\d* 0\.9529411\d* 0\.9725490\d* scn$/m,
  ];

  it.each([
    [24, 500],
    [26, 1100],
    [27, 20],
    [28, 20],
    [28, 1100],
  ])("stay on the page of their table after %i lines, with a first row of %i characters", async (lines, length) => {
    const pdf = await toPdf({
      ...hostileDocument(),
      ...{ title: "T", subject: "S" },
      blocks: [
        ...Array.from({ length: lines }, () => ({ kind: "paragraph" as const, text: "line" })),
        { kind: "heading", text: "Actions on endpoints" },
        table(
          [
            { name: "A", weight: 1 },
            { name: "B", weight: 1 },
          ],
          Array.from({ length: 3 }, () => ["cell ".repeat(length / 5), "cell"]),
        ),
      ],
    });
    const pages = inflateStreams(pdf).filter((stream) => stream.includes(" scn"));
    const withHeading = pages.filter((page) => (page.match(HEADING) ?? []).length > (page === pages[0] ? 1 : 0));
    expect(withHeading).toHaveLength(1);
    expect(withHeading[0]).toMatch(HEAD);
  });
});

describe("text in a PDF", () => {
  it("uses the font that has the characters", () => {
    expect(setText("high → critical", 300, 10).text).toEqual([
      { text: "high ", font: "Roboto" },
      { text: "→", font: "DejaVu" },
      { text: " critical", font: "Roboto" },
    ]);
  });

  it("shows and counts the code points of characters that no font has", () => {
    const shown = (given: string) =>
      setText(given, 300, 10)
        .text.map(({ text }) => text)
        .join("");
    expect(shown("漢字 ok")).toBe("[U+6F22 U+5B57] ok");
    expect(shown("漢".repeat(10))).toBe(`[${"U+6F22 ".repeat(8)}and 2 more]`);
    expect(undrawable("漢字 ok 🏴‍☠️")).toBe(3);
  });

  it("breaks only words that are longer than the line", () => {
    const { text } = setText(`short ${"x".repeat(80)} end`, 100, 10);
    expect(text.map(({ wordBreak }) => wordBreak ?? "normal")).toEqual(["normal", "break-all", "normal"]);
  });

  // By UAX #9: the first character is drawn leftmost; the layout itself reverses each group of Arabic letters.
  it.each([
    ["words of a right-to-left line", "واحد FIN 014 اثنان", ["اثنان", " ", "FIN 014", " ", "واحد"]],
    ["a colon after a word", "تعليق: بالعربية", ["بالعربية", " ", ":", "تعليق"]],
    ["brackets", "تعليق (بالعربية)", ["(", "بالعربية", ")", " ", "تعليق"]],
    ["brackets around Latin words", "تعليق (Windows 11)", ["(", "Windows 11", ")", " ", "تعليق"]],
    ["a full stop at the end", "انتهى.", [".", "انتهى"]],
    ["a number and an address", "من 10.0.0.1 في 12:30", ["12:30", " ", "في", " ", "10.0.0.1", " ", "من"]],
    ["a date", "يوم 2026-11-15", ["2026-11-15", " ", "يوم"]],
    ["Arabic in a left-to-right line", "User علي حسن: seen", ["User ", "حسن", " ", "علي", ": seen"]],
    ["a list in a left-to-right line", "Names: علي, حسن.", ["Names: ", "حسن", " ", ",", "علي", "."]],
    ["a path in a right-to-left line", "الملف C:\\a\\b.exe", ["C:\\a\\b.exe", " ", "الملف"]],
  ])("puts %s into visual order", (_name, line, parts) => {
    expect(
      setText(line, 400, 10)
        .text.map(({ text }) => text)
        .join(""),
    ).toBe(parts.join(""));
  });

  it("sets a line right-to-left by its first letter", () => {
    expect(setText("12: واحد FIN", 300, 10).alignment).toBe("right");
    expect(setText("FIN واحد", 300, 10).alignment).toBeUndefined();
  });

  it("keeps Arabic letters and punctuation in separate fonts, so that the layout reverses only the letters", () => {
    expect(setText("تعليق: نعم", 300, 10).text).toEqual([
      { text: "نعم", font: "DejaVu" },
      { text: " :", font: "Roboto" },
      { text: "تعليق", font: "DejaVu" },
    ]);
  });
});
