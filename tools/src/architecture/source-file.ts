import { type ImportDeclaration, type Node, type Program, parseSync } from "oxc-parser";
import { type Declared, declarationsIn } from "./declarations.ts";
import { listChildren, readText } from "./syntax.ts";
import { type Use, usesIn } from "./uses.ts";

export interface Import {
  specifier: string;
  line: number;
  /** Erased at run time. */
  isType: boolean;
  /** `export … from`: handed on instead of used. */
  isReExport: boolean;
  /** What `import { … }` takes by value, under the names of the other file. */
  values: readonly string[];
}

export interface Comment {
  text: string;
  line: number;
}

/** What the rules know about one file. */
export interface SourceFile {
  /** From the root of the repository, with forward slashes. */
  path: string;
  /** The folder of the package that the file belongs to; empty for the root. */
  packageDir: string;
  lineCount: number;
  imports: readonly Import[];
  uses: readonly (Use & { line: number })[];
  comments: readonly Comment[];
  declarations: readonly (Declared & { line: number; lineCount: number })[];
  text: string;
  syntaxErrors: readonly string[];
}

type Found = Omit<Import, "line"> & { offset: number };

function isTypeImport(node: Node): boolean {
  if (node.type !== "ImportDeclaration") return false;
  const named = node.specifiers.filter((specifier) => specifier.type === "ImportSpecifier");
  const isEachType = named.length > 0 && named.every(({ importKind }) => importKind === "type");
  return node.importKind === "type" || (isEachType && named.length === node.specifiers.length);
}

function listValues({ specifiers, importKind }: ImportDeclaration): string[] {
  const named = specifiers.filter((specifier) => specifier.type === "ImportSpecifier");
  return named
    .filter((specifier) => importKind !== "type" && specifier.importKind !== "type")
    .map(({ imported }) => (imported.type === "Literal" ? imported.value : imported.name));
}

function importAt(node: Node): Found | undefined {
  const offset = node.start;
  switch (node.type) {
    case "ImportDeclaration":
      return {
        specifier: node.source.value,
        offset,
        isType: isTypeImport(node),
        isReExport: false,
        values: listValues(node),
      };
    case "ExportAllDeclaration":
    case "ExportNamedDeclaration":
      return node.source
        ? { specifier: node.source.value, offset, isType: node.exportKind === "type", isReExport: true, values: [] }
        : undefined;
    case "TSImportType":
      return { specifier: node.source.value, offset, isType: true, isReExport: false, values: [] };
    case "ImportExpression": {
      const specifier = readText(node.source);
      return specifier === undefined ? undefined : { specifier, offset, isType: false, isReExport: false, values: [] };
    }
    default:
      return undefined;
  }
}

function importsIn(program: Program): Found[] {
  const found: Found[] = [];
  const pending: Node[] = [program];
  for (let node = pending.pop(); node; node = pending.pop()) {
    const each = importAt(node);
    if (each) found.push(each);
    pending.push(...listChildren(node));
  }
  return found.sort((left, right) => left.offset - right.offset);
}

/** Finds the line of an offset in logarithmic time: a large file has thousands of names to place. */
function lineIndex(text: string): (offset: number) => number {
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
  return (offset) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ends[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}

export function parseSourceFile(path: string, packageDir: string, text: string): SourceFile {
  const { program, comments, errors } = parseSync(path, text, { preserveParens: false });
  const lineAt = lineIndex(text);
  return {
    path,
    packageDir,
    lineCount: text.split("\n").length - (text.endsWith("\n") ? 1 : 0),
    imports: importsIn(program).map(({ offset, ...rest }) => ({ ...rest, line: lineAt(offset) })),
    uses: usesIn(program).map((use) => ({ ...use, line: lineAt(use.offset) })),
    comments: comments.map(({ value, start }) => ({ text: value, line: lineAt(start) })),
    declarations: declarationsIn(program).map((each) => {
      const line = lineAt(each.offset);
      return { ...each, line, lineCount: lineAt(each.end) - line + 1 };
    }),
    text,
    syntaxErrors: errors.map(({ message }) => message),
  };
}
