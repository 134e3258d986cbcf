import {
  Composer,
  type CST,
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  Parser,
} from "yaml";

export interface YamlPosition {
  line: number;
  column: number;
}

/** The position of a node and of the nodes inside it, by key or index. */
export interface YamlPlace extends YamlPosition {
  children?: ReadonlyMap<string, YamlPlace>;
}

export interface YamlDocument {
  value: unknown;
  /** What the parser ignored, such as an unknown tag. */
  warning?: string;
  /** Only with `places`. */
  place?: YamlPlace;
}

export interface YamlOptions {
  /** Integers may exceed the exact range of a number. */
  intAsBigInt?: boolean;
  places?: boolean;
  /** How many keys, values and indicators a text may have. The default is for texts of callers. */
  maxTokens?: number;
}

export type YamlResult = { state: "read"; documents: YamlDocument[] } | YamlRefusal;
interface YamlRefusal {
  state: "refused";
  reason: string;
}

// The library recurses into each level. If the stack overflows while a regular expression compiles, Node ends the process.
const MAX_DEPTH = 50;
const MAX_TOKENS = 20_000;
const MAX_ALIASES = 100;
/** How many nodes all aliases together may repeat. */
const MAX_ALIAS_COUNT = 20;
// A longer number takes seconds to be written out again.
const MAX_DIGITS = 1000;
const SCALAR_FOLLOWS = "\u001f";
/** First characters of what the lexer returns between the keys, values and indicators: control characters of its own too. */
const SPACING = " \t\r\n#\u0002\u0018\u001f\ufeff";

/** Parses all documents of a text in linear time and with a bounded stack. Duplicate keys are refused. */
export function parseYaml(text: string, options: YamlOptions = {}): YamlResult {
  const { intAsBigInt = false, places = false, maxTokens = MAX_TOKENS } = options;
  const lines = new LineCounter();
  const at = (offset: number): YamlPosition => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const tokens: CST.Token[] = [];
  const excess = readTokens(text, { lines, tokens, maxTokens });
  if (excess !== undefined) return { state: "refused", reason: excess };
  // The library's own check compares each key with all others.
  const composer = new Composer({ uniqueKeys: false, resolveKnownTags: false, logLevel: "silent", intAsBigInt });
  const documents: YamlDocument[] = [];
  for (const document of composer.compose(tokens)) {
    const [error] = document.errors;
    if (error) return refused(error.message, at(error.pos[0]));
    const misfit = findMisfit(document.contents);
    if (misfit) return refused(misfit.reason, at(misfit.offset));
    const value = toValue(document);
    if (value.state === "refused") return value;
    const [warning] = document.warnings;
    documents.push({
      value: value.value,
      ...(warning && { warning: `${warning.message}${formatPosition(at(warning.pos[0]))}` }),
      ...(places && { place: toPlace(document.contents, at) ?? at(0) }),
    });
  }
  return { state: "read", documents };
}

export function formatPosition({ line, column }: YamlPosition): string {
  return `, at line ${line}, column ${column}`;
}

interface TokenReading {
  lines: LineCounter;
  tokens: CST.Token[];
  maxTokens: number;
}

/** Fills the syntax tree. Returns why the text must not be read further; undefined if it may. Both steps are loops. */
function readTokens(text: string, { lines, tokens, maxTokens }: TokenReading): string | undefined {
  lines.addNewLine(0);
  const parser = new Parser(lines.addNewLine);
  const findExcess = createCounter(maxTokens);
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    const excess = findExcess(lexeme);
    if (excess !== undefined) return excess;
    if (parser.stack.length > MAX_DEPTH) return `must be at most ${MAX_DEPTH} levels deep`;
  }
  tokens.push(...parser.end());
  return undefined;
}

function createCounter(maxTokens: number): (lexeme: string) => string | undefined {
  let count = 0;
  let aliases = 0;
  let isScalar = false;
  return (lexeme) => {
    if (isScalar || !SPACING.includes(lexeme.charAt(0))) count += 1;
    if (!isScalar && lexeme.startsWith("%")) return "must not have directives";
    if (!isScalar && lexeme.startsWith("*")) aliases += 1;
    isScalar = lexeme === SCALAR_FOLLOWS;
    if (count > maxTokens) return `must have at most ${maxTokens} keys, values and indicators`;
    return aliases > MAX_ALIASES ? "has too many or unknown aliases" : undefined;
  };
}

function refused(reason: string, position: YamlPosition): YamlRefusal {
  return { state: "refused", reason: `${reason}${formatPosition(position)}` };
}

function toValue(document: Document.Parsed): { state: "read"; value: unknown } | YamlRefusal {
  try {
    return { state: "read", value: document.toJS({ maxAliasCount: MAX_ALIAS_COUNT }) };
  } catch (error) {
    if (error instanceof ReferenceError) return { state: "refused", reason: "has too many or unknown aliases" };
    throw error;
  }
}

interface YamlMisfit {
  reason: string;
  offset: number;
}

/** The first duplicate key or overlong number. */
function findMisfit(node: unknown): YamlMisfit | undefined {
  if (isScalar(node)) {
    const isLong = typeof node.value === "bigint" && (node.source?.length ?? 0) > MAX_DIGITS;
    return isLong ? { reason: `Numbers must have at most ${MAX_DIGITS} digits`, offset: offsetOf(node) } : undefined;
  }
  const keys = new Set<unknown>();
  for (const { key, value } of listEntries(node)) {
    if (isScalar(key)) {
      if (keys.has(key.value)) return { reason: "Map keys must be unique", offset: offsetOf(key) };
      keys.add(key.value);
    }
    const misfit = findMisfit(key) ?? findMisfit(value);
    if (misfit) return misfit;
  }
  return undefined;
}

function offsetOf({ range }: Pick<Node, "range">): number {
  return range?.[0] ?? 0;
}

function listEntries(node: unknown): readonly { key: unknown; value: unknown }[] {
  if (isMap(node)) return node.items;
  return isSeq(node) ? node.items.map((value) => ({ key: undefined, value })) : [];
}

function toPlace(node: unknown, at: (offset: number) => YamlPosition): YamlPlace | undefined {
  if (!isNode(node) || !node.range) return undefined;
  const children = new Map<string, YamlPlace>();
  for (const [index, { key, value }] of listEntries(node).entries()) {
    const child = toPlace(value, at);
    if (child) children.set(isScalar(key) ? String(key.value) : String(index), child);
  }
  return { ...at(node.range[0]), ...(children.size > 0 && { children }) };
}
