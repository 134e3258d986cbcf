import { draw, escapeMarkup } from "./report-chart.ts";
import { type Block, madeText, type ReportDocument, type Table } from "./report-document.ts";

// The file is opened from disk, without response headers.
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const STYLE = `
:root { color-scheme: light; }
body { font: 15px/1.5 "Segoe UI", system-ui, "Noto Sans", "Noto Sans Arabic", sans-serif; color: #1d2733; background: #fff;
  max-width: 62rem; margin: 2rem auto; padding: 0 1.5rem; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .3rem; }
h2 { font-size: 1.15rem; margin: 2rem 0 .6rem; padding-bottom: .25rem; border-bottom: 2px solid #1f4e79; break-after: avoid; }
h3 { font-size: 1rem; margin: 1rem 0 .4rem; break-after: avoid; }
p, td, th, li, dd, dt, h1, h2, h3 { overflow-wrap: anywhere; }
p { white-space: pre-line; }
.made, .more { color: #5a6775; font-size: .9rem; }
table { border-collapse: collapse; width: 100%; table-layout: fixed; font-size: .87rem; }
th, td { text-align: start; vertical-align: top; padding: .35rem .5rem; border-bottom: 1px solid #d5dce4; white-space: pre-line; }
th { background: #eef3f8; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
.code { font: .78rem/1.45 ui-monospace, "DejaVu Sans Mono", monospace; }
dl { display: grid; grid-template-columns: 12rem 1fr; gap: .25rem 1rem; margin: 0; }
dt { color: #5a6775; } dd { margin: 0; white-space: pre-line; }
ol { list-style: none; margin: 0; padding: 0; border-inline-start: 3px solid #8fb5d1; }
li { padding: .2rem 0 .2rem 1rem; padding-inline: 1rem 0; } li b { font-weight: 600; }
time { color: #5a6775; font-size: .87rem; }
svg { max-width: 100%; height: auto; display: block; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: .7rem; background: #f5f7fa; padding: .8rem; max-height: 20rem; overflow: auto; }
@page { size: A4; margin: 18mm 16mm; }
@media print { body { margin: 0; max-width: none; padding: 0; } pre { max-height: none; } }`;

/** Renders a self-contained file without scripts and without requests to other hosts. */
export function toHtml(document: ReportDocument): string {
  const { title, subject, blocks, ledger_bundle } = document;
  const proof = ledger_bundle
    ? `<h2>Ledger bundle</h2><p>Save the text below as bundle.json and check it with the stand-alone verifier.</p>` +
      `<pre id="ledger-bundle" dir="ltr">${escapeMarkup(JSON.stringify(ledger_bundle))}</pre>`
    : "";
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<title>${escapeMarkup(title)}</title><style>${STYLE}</style></head>
<body><h1 dir="auto">${escapeMarkup(title)}</h1><p dir="auto">${escapeMarkup(subject)}</p>
<p class="made" dir="auto">${escapeMarkup(madeText(document))}</p>
${blocks.map(renderBlock).join("\n")}
${proof}</body></html>
`;
}

function renderBlock(block: Block): string {
  switch (block.kind) {
    case "heading":
      return `<h2 dir="auto">${escapeMarkup(block.text)}</h2>`;
    case "paragraph":
      return `<p dir="auto">${escapeMarkup(block.text)}</p>`;
    case "facts":
      return `<dl>${block.facts
        .map(({ name, value }) => `<dt>${escapeMarkup(name)}</dt><dd dir="auto">${escapeMarkup(value)}</dd>`)
        .join("")}</dl>`;
    case "table":
      return renderTable(block);
    case "chart":
      return `<h3>${escapeMarkup(block.title)}</h3>${draw(block).svg}`;
    case "timeline":
      return `<ol>${block.entries
        .map(
          ({ at, actor, text }) =>
            `<li dir="auto"><time>${escapeMarkup(at)}</time> <b><bdi>${escapeMarkup(actor)}</bdi></b> ${escapeMarkup(text)}</li>`,
        )
        .join("")}</ol>${renderMore(block.more, "entries")}`;
    default:
      return block satisfies never;
  }
}

function renderTable({ columns, rows, more, empty }: Table): string {
  if (rows.length === 0) return `<p>${escapeMarkup(empty)}</p>`;
  const weights = columns.reduce((sum, { weight }) => sum + weight, 0);
  const widths = columns.map(({ weight }) => `<col style="width:${((100 * weight) / weights).toFixed(1)}%">`).join("");
  const names = columns.map(({ name }) => `<th>${escapeMarkup(name)}</th>`).join("");
  const cell = (text: string, at: number) =>
    `<td dir="auto"${columns[at]?.isCode ? ' class="code"' : ""}>${escapeMarkup(text)}</td>`;
  const body = rows.map((row) => `<tr>${row.map(cell).join("")}</tr>`).join("");
  return `<table><colgroup>${widths}</colgroup><thead><tr>${names}</tr></thead><tbody>${body}</tbody></table>${renderMore(more, "rows")}`;
}

function renderMore(more: number, what: string): string {
  return more > 0 ? `<p class="more">${more} more ${what} are in the platform.</p>` : "";
}
