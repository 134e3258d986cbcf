import { isTest, isUserInterface, resolveImport } from "./layout.ts";
import { fileRule } from "./rule.ts";

/** Lowest first. */
const LAYERS = ["design", "app", "pages", "shell", "main.tsx"];
const PAGES = LAYERS.indexOf("pages");
const SOURCES = /^apps\/([^/]+)\/src\//;
const FOLDERS_OF_A_PAGE: Readonly<Record<string, number>> = { "player-dashboard": 1, "soc-console": 2 };

interface Place {
  /** Its index in LAYERS; -1 for a file that belongs to no layer. */
  layer: number;
  /** `now`, or `casework/alerts` in the console. */
  page: string | undefined;
}

function findPlace(path: string): Place {
  const product = SOURCES.exec(path)?.[1] ?? "";
  const [first = "", ...rest] = path.replace(SOURCES, "").split("/");
  const layer = LAYERS.indexOf(first);
  if (layer !== PAGES) return { layer, page: undefined };
  const depth = FOLDERS_OF_A_PAGE[product] ?? 1;
  return rest.length > depth ? { layer, page: rest.slice(0, depth).join("/") } : { layer: -1, page: undefined };
}

/** What a page offers to the others: how its record is linked, shown in one line, and asked for. */
const OFFERED = /-(?:link\.tsx|row\.tsx|client\.ts)$/;

function findRefusal(from: Place, to: Place, target: string): string | undefined {
  if (to.layer > from.layer) return `${LAYERS[from.layer]} must not import ${LAYERS[to.layer]}`;
  if (OFFERED.test(target)) return undefined;
  return from.page !== undefined && to.page !== undefined && from.page !== to.page
    ? `the page ${from.page} must not import the page ${to.page}`
    : undefined;
}

export const pageDirection = fileRule(
  "user interfaces import downward only",
  "design ← app ← pages ← shell ← main.tsx: a page uses another one only by its -link, -row and -client files",
  (file) => {
    if (!isUserInterface(file.path) || isTest(file.path)) return [];
    const from = findPlace(file.path);
    if (from.layer < 0) return [{ line: 1, message: "belongs to design/, app/, a folder of pages/, or shell/" }];
    return file.imports.flatMap((each) => {
      const target = resolveImport(file, each.specifier);
      const refusal = target && isUserInterface(target) ? findRefusal(from, findPlace(target), target) : undefined;
      return refusal ? [{ line: each.line, message: `${refusal} (${each.specifier})` }] : [];
    });
  },
);
