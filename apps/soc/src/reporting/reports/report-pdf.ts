import { fileURLToPath } from "node:url";
import type { Content, TableCell } from "pdfmake";
import { withinBudget } from "./report-budget.ts";
import { draw } from "./report-chart.ts";
import {
  type Block,
  type Chart,
  type Column,
  madeText,
  type ReportDocument,
  shorten,
  type Table,
} from "./report-document.ts";
import { estimateRoom } from "./report-pdf-room.ts";
import { setLabel, setText, undrawable } from "./report-pdf-text.ts";

type Definition = Parameters<typeof import("pdfmake").createPdf>[0];

const WIDTH = 515;
const [LEFT, TOP, RIGHT, BOTTOM] = [40, 58, 40, 52];
const PAGE_HEIGHT = 841;
const ATTACHED = { kind: "heading", text: "Ledger bundle" } as const;
const SIZE = 9.5;
const SMALL = 8;
const [INK, QUIET, RULE, HEAD, ACCENT] = ["#1d2733", "#5a6775", "#d5dce4", "#eef3f8", "#1f4e79"];
// The layout blocks the event loop: about 50 pages take half a second.
const MAX_CHARACTERS = 100_000;
// A row that must not break has to fit on one page.
const MAX_UNBROKEN_LENGTH = 1200;

/** Renders A4 pages with vector charts and the ledger bundle as an attachment. */
export async function toPdf(document: ReportDocument): Promise<Buffer> {
  const fonts = listFonts();
  const files = new Set(
    Object.values(fonts).flatMap(({ normal, bold, italics, bolditalics }) => [normal, bold, italics, bolditalics]),
  );
  // Loading takes as long as the whole HTTP stack, so only a process that renders loads it.
  const { default: pdfmake } = await import("pdfmake");
  pdfmake.setFonts(fonts);
  // A report must never make the server read a file or contact a host.
  pdfmake.setUrlAccessPolicy(() => false);
  pdfmake.setLocalAccessPolicy((path) => files.has(path));
  return pdfmake.createPdf(buildPdfDefinition(withinBudget(document, MAX_CHARACTERS))).getBuffer();
}

function listFonts() {
  const family = (start: string, normal: string, bold: string, italics: string, bolditalics: string) => ({
    normal: `${start}${normal}.ttf`,
    bold: `${start}${bold}.ttf`,
    italics: `${start}${italics}.ttf`,
    bolditalics: `${start}${bolditalics}.ttf`,
  });
  const roboto = resolveFolder(import.meta.resolve("pdfmake/package.json"), "fonts/Roboto/Roboto-");
  const dejavu = resolveFolder(import.meta.resolve("dejavu-fonts-ttf/package.json"), "ttf/DejaVuSans");
  return {
    Roboto: family(roboto, "Regular", "Medium", "Italic", "MediumItalic"),
    DejaVu: family(dejavu, "", "-Bold", "-Oblique", "-BoldOblique"),
    Mono: family(`${dejavu}Mono`, "", "-Bold", "-Oblique", "-BoldOblique"),
  };
}

function resolveFolder(manifest: string, below: string): string {
  return fileURLToPath(new URL(below, manifest));
}

function buildPdfDefinition(document: ReportDocument): Definition {
  const { title, report_type, made_by, made_at, subject, blocks, ledger_bundle } = document;
  const made = madeText(document);
  const rooms = new Map(
    [...blocks, ATTACHED].flatMap((block, at) =>
      block.kind === "heading" ? [[at + 1, estimateRoom(blocks[at + 1], WIDTH)] as const] : [],
    ),
  );
  return {
    pageSize: "A4",
    pageMargins: [LEFT, TOP, RIGHT, BOTTOM],
    info: { title, author: made_by, subject, creator: "Manara SOC", creationDate: made_at },
    language: "en",
    defaultStyle: { font: "Roboto", fontSize: SIZE, color: INK, lineHeight: 1.25 },
    header: (page) => (page === 1 ? undefined : edge(shorten(title, 90), report_type, [LEFT, 28, RIGHT, 0])),
    footer: (page, pages) => edge(shorten(made, 90), `${page} / ${pages}`, [LEFT, 18, RIGHT, 0]),
    // Avoid a heading at the end of a page. The layout does not know yet whether the row after it fits on the page.
    pageBreakBefore: ({ headlineLevel = 0, startPosition }) =>
      startPosition.top + (rooms.get(headlineLevel) ?? 0) > PAGE_HEIGHT - BOTTOM,
    content: [
      { ...styled(title, WIDTH, 20), bold: true, color: ACCENT, lineHeight: 1.1, margin: [0, 0, 0, 4] },
      { ...styled(subject, WIDTH, 11), color: QUIET },
      { ...styled(made, WIDTH, SMALL), color: QUIET, margin: [0, 2, 0, 8] },
      ...blocks.map((block, at) => renderBlock(block, at + 1)),
      ...(ledger_bundle ? attachedNote(blocks.length + 1) : []),
      ...lostNote(document),
    ],
    ...(ledger_bundle && { files: { bundle: buildAttachment(ledger_bundle, made_at) } }),
  };
}

function buildAttachment(bundle: object, made_at: Date) {
  return {
    src: `data:application/json;base64,${Buffer.from(JSON.stringify(bundle)).toString("base64")}`,
    name: "ledger-bundle.json",
    type: "application/json",
    description: "The ledger of this case for the stand-alone verifier",
    creationDate: made_at,
    modifiedDate: made_at,
  };
}

function renderBlock(block: Block, place: number): Content {
  switch (block.kind) {
    case "heading":
      return renderHeading(block.text, place);
    case "paragraph":
      return { ...styled(block.text, WIDTH, SIZE), margin: [0, 2, 0, 6] };
    case "facts":
      return grid(
        [130, WIDTH - 130],
        block.facts.map(({ name, value }) => [
          { ...styled(name, 120, SIZE), color: QUIET },
          styled(value, WIDTH - 146, SIZE),
        ]),
        "plain",
      );
    case "table":
      return renderTable(block);
    case "chart":
      return renderChart(block);
    case "timeline":
      return [
        grid(
          [82, 100, WIDTH - 182],
          block.entries.map(({ at, actor, text }) => [
            { ...styled(at, 74, SMALL), color: QUIET },
            { ...styled(actor, 92, SMALL), bold: true },
            styled(text, WIDTH - 198, SIZE),
          ]),
          "lines",
        ),
        ...renderMore(block.more, "entries"),
      ];
    default:
      return block satisfies never;
  }
}

function renderHeading(text: string, place: number): Content {
  return {
    ...styled(text, WIDTH, 13),
    bold: true,
    color: ACCENT,
    margin: [0, 14, 0, 5],
    // The layout ignores it; the page break rule uses it to recognise headings.
    headlineLevel: place,
    outline: true,
    outlineText: text,
  };
}

function renderChart(chart: Chart): Content {
  const { svg, width } = draw(chart, setLabel);
  return {
    unbreakable: true,
    stack: [
      { text: chart.title, bold: true, margin: [0, 6, 0, 4] },
      { svg, width },
    ],
    margin: [0, 0, 0, 8],
  };
}

function renderTable({ columns, rows, more, empty }: Table): Content {
  if (rows.length === 0 && more > 0) return renderMore(more, "rows");
  if (rows.length === 0) return { text: empty, color: QUIET, margin: [0, 2, 0, 6] };
  const weights = columns.reduce((sum, { weight }) => sum + weight, 0);
  const widths = columns.map(({ weight }) => Math.floor((weight / weights) * WIDTH));
  const head = columns.map(({ name }) => ({ text: name, bold: true, fontSize: SMALL, fillColor: HEAD }));
  const body = rows.map((row) => row.map((text, at) => renderCell(text, columns[at], (widths[at] ?? WIDTH) - 12)));
  return [grid(widths, body, "lines", head), ...renderMore(more, "rows")];
}

function renderCell(text: string, column: Column | undefined, width: number): TableCell {
  // Hashes break anywhere in a monospaced font, so that two of them can be compared by eye.
  if (column?.isCode && /^[\x20-\x7e]*$/.test(text))
    return { ...styled(text, width, 6.8), font: "Mono", wordBreak: "break-all", lineHeight: 1.3 };
  return styled(text, width, 8.5);
}

function grid(widths: number[], rows: TableCell[][], lines: "plain" | "lines", head?: TableCell[]): Content {
  const isLong = rows.flat().some((cell) => JSON.stringify(cell).length > 2 * MAX_UNBROKEN_LENGTH);
  const inset = lines === "plain" ? 2 : 3;
  return {
    table: {
      // The padding is added to the width of a cell.
      widths: widths.map((width) => width - 8),
      headerRows: head ? 1 : 0,
      ...(head && { keepWithHeaderRows: 1 }),
      dontBreakRows: !isLong,
      body: head ? [head, ...rows] : rows,
    },
    layout: {
      hLineWidth: (line) => (lines === "plain" || line === 0 ? 0 : 0.5),
      vLineWidth: () => 0,
      hLineColor: () => RULE ?? "",
      paddingLeft: () => 4,
      paddingRight: () => 4,
      paddingTop: () => inset,
      paddingBottom: () => inset,
    },
    margin: [0, 0, 0, 6],
  };
}

function edge(left: string, right: string, margin: [number, number, number, number]): Content {
  const looks = { fontSize: 7.5, color: QUIET };
  return {
    columns: [
      { ...styled(left, 420, 7.5), ...looks },
      { text: right, ...looks, alignment: "right", width: 90 },
    ],
    margin,
  };
}

function styled(text: string, width: number, fontSize: number) {
  return { ...setText(text, width, fontSize), fontSize };
}

function renderMore(more: number, what: string): Content[] {
  return more > 0 ? [{ text: `${more} more ${what} are in the platform.`, color: QUIET, fontSize: SMALL }] : [];
}

function attachedNote(place: number): Content[] {
  return [
    renderHeading(ATTACHED.text, place),
    {
      text:
        "The file ledger-bundle.json is attached to this document. It contains every entry of the case's ledger with its" +
        "inclusion proof and the signed checkpoint. Check it with the stand-alone verifier; no server is needed.",
    },
  ];
}

function lostNote(document: ReportDocument): Content[] {
  const lost = undrawable(JSON.stringify([document.title, document.subject, document.blocks]));
  if (lost === 0) return [];
  const words = lost === 1 ? "One character has" : `${lost} characters have`;
  return [
    {
      text: [
        `${words} no glyph in the fonts of this document and are shown as code points, such as [U+6F22]. `,
        "The other formats show them.",
      ],
      color: QUIET,
      fontSize: SMALL,
      margin: [0, 12, 0, 0],
    },
  ];
}
