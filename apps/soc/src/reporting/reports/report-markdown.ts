import type { Block, Chart, ReportDocument, Table } from "./report-document.ts";
import { madeText } from "./report-document.ts";

/** Renders GitHub Flavored Markdown, which other readers display well enough. */
export function toMarkdown(document: ReportDocument): string {
  const { title, subject, blocks, ledger_bundle } = document;
  const parts = [`# ${inline(title)}`, inline(subject), inline(madeText(document)), ...blocks.map(renderBlock)];
  if (ledger_bundle) parts.push("## Ledger bundle", BUNDLE_HELP, fenced(JSON.stringify(ledger_bundle)));
  return `${parts.join("\n\n")}\n`;
}

const BUNDLE_HELP =
  "Save the text below as bundle.json and check it with `manara-soc verify bundle.json`, or on the verifier's page. No server is needed.";

function renderBlock(block: Block): string {
  switch (block.kind) {
    case "heading":
      return `## ${inline(block.text)}`;
    case "paragraph":
      return lines(block.text);
    case "facts":
      return renderRows(
        ["", ""],
        block.facts.map(({ name, value }) => [name, value]),
      );
    case "table":
      return renderTable(block);
    case "chart":
      return renderChart(block);
    case "timeline":
      return [
        ...block.entries.map(({ at, actor, text }) => `- ${inline(at)}, ${inline(actor)}: ${inline(text)}`),
        ...renderMore(block.more, "entries"),
      ].join("\n");
    default:
      return block satisfies never;
  }
}

function renderTable({ columns, rows, more, empty }: Table): string {
  if (rows.length === 0) return inline(empty);
  const names = columns.map(({ name }) => name);
  return [renderRows(names, rows), ...renderMore(more, "rows")].join("\n\n");
}

function renderChart({ title, points }: Chart): string {
  const rows = points.map(({ label, value }) => [label, String(value)]);
  return `**${inline(title)}**\n\n${renderRows(["", "Count"], rows)}`;
}

function renderRows(names: readonly string[], rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => text.split("\n").map(inline).join("<br>");
  const row = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [row(names), `|${names.map(() => "---|").join("")}`, ...rows.map(row)].join("\n");
}

function renderMore(more: number, what: string): string[] {
  return more > 0 ? [`_${more} more ${what} are in the platform._`] : [];
}

/** Escapes Markdown, HTML and links, so that the text is displayed literally. */
function inline(text: string): string {
  return text
    .replaceAll("\n", " ")
    .replaceAll(/[\\`*_[\]|~$@!]/g, "\\$&")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("://", "\\://")
    .replaceAll(/\b(www)\./gi, "$1\\.")
    .replace(/^(\s*)([#+=-]|\d+(?=[.)]))/, (_, space: string, mark: string) =>
      /\d/.test(mark) ? `${space}${mark}\\` : `${space}\\${mark}`,
    );
}

/** Keeps line breaks. An indented line would become code, so lines are trimmed. */
function lines(text: string): string {
  return text
    .split("\n")
    .map((line) => inline(line.trim()))
    .join("\\\n");
}

/** JSON on one line cannot contain a line that closes the fence. */
function fenced(json: string): string {
  return `\`\`\`json\n${json}\n\`\`\``;
}
