import { type Node, type Program, parseSync } from "oxc-parser";
import { childrenOf, textOf } from "./syntax.ts";
import { type Use, usesIn } from "./uses.ts";

export interface Import {
  specifier: string;
  line: number;
  /** Erased at run time. */
  isType: boolean;
  /** `export … from`: handed on instead of used. */
  isReExport: boolean;
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
  syntaxErrors: readonly string[];
}

type Found = Omit<Import, "line"> & { offset: number };

function isTypeImport(node: Node): boolean {
  if (node.type !== "ImportDeclaration") return false;
  const named = node.specifiers.filter((specifier) => specifier.type === "ImportSpecifier");
  const isEachType = named.length > 0 && named.every(({ importKind }) => importKind === "type");
  return node.importKind === "type" || (isEachType && named.length === node.specifiers.length);
}

function importAt(node: Node): Found | undefined {
  const offset = node.start;
  switch (node.type) {
    case "ImportDeclaration":
      return { specifier: node.source.value, offset, isType: isTypeImport(node), isReExport: false };
    case "ExportAllDeclaration":
    case "ExportNamedDeclaration":
      return node.source
        ? { specifier: node.source.value, offset, isType: node.exportKind === "type", isReExport: true }
        : undefined;
    case "TSImportType":
      return { specifier: node.source.value, offset, isType: true, isReExport: false };
    case "ImportExpression": {
      const specifier = textOf(node.source);
      return specifier === undefined ? undefined : { specifier, offset, isType: false, isReExport: false };
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
    pending.push(...childrenOf(node));
  }
  return found.sort((left, right) => left.offset - right.offset);
}

export function parseSourceFile(path: string, packageDir: string, text: string): SourceFile {
  const { program, comments, errors } = parseSync(path, text, { preserveParens: false });
  const lineOf = (offset: number) => text.slice(0, offset).split("\n").length;
  return {
    path,
    packageDir,
    lineCount: text.split("\n").length - (text.endsWith("\n") ? 1 : 0),
    imports: importsIn(program).map(({ offset, ...rest }) => ({ ...rest, line: lineOf(offset) })),
    uses: usesIn(program).map((use) => ({ ...use, line: lineOf(use.offset) })),
    comments: comments.map(({ value, start }) => ({ text: value, line: lineOf(start) })),
    syntaxErrors: errors.map(({ message }) => message),
  };
}
