import type { Node, Program } from "oxc-parser";
import { type Origin, originOfName, type Scope, scopeInside } from "./scope.ts";
import { isErased, listEvaluatedChildren, readLeadingText, readText } from "./syntax.ts";

/** One place where a file reaches for a global, or for something of an imported module. */
export interface Use {
  /** The module's specifier; undefined for a global. */
  module: string | undefined;
  /** With dots: "Date.now", "webcrypto.getRandomValues"; empty for the module as a whole. */
  name: string;
  offset: number;
  form: "call" | "new" | "instanceof" | "read";
  argumentCount: number;
  /** What the first argument starts with, when it is a string in the source. */
  firstText: string | undefined;
}

const ALIASES_OF_GLOBAL = new Set(["globalThis", "global", "window", "self"]);

function readKey(node: Node, isComputed: boolean): string | undefined {
  return !isComputed && node.type === "Identifier" ? node.name : readText(node);
}

function withoutGlobalThis({ module, path }: Origin): Origin {
  const isAlias = module === undefined && path.length > 1 && ALIASES_OF_GLOBAL.has(path[0] ?? "");
  return { module, path: isAlias ? path.slice(1) : path };
}

function findOrigin(node: Node, scope: Scope | undefined): Origin | undefined {
  switch (node.type) {
    case "Identifier":
      return originOfName(node.name, scope);
    case "MemberExpression": {
      const object = findOrigin(node.object, scope);
      const key = readKey(node.property, node.computed);
      return object && key !== undefined
        ? withoutGlobalThis({ module: object.module, path: [...object.path, key] })
        : undefined;
    }
    case "AwaitExpression": {
      const module = node.argument.type === "ImportExpression" ? readText(node.argument.source) : undefined;
      return module === undefined ? undefined : { module, path: [] };
    }
    case "ChainExpression":
    case "TSAsExpression":
    case "TSNonNullExpression":
    case "TSSatisfiesExpression":
      return findOrigin(node.expression, scope);
    default:
      return undefined;
  }
}

/** `const { now } = Date` reads Date.now. */
function keysTakenBy(pattern: Node): string[] {
  if (pattern.type !== "ObjectPattern") return [];
  const keys = pattern.properties.map((property) =>
    property.type === "RestElement" ? undefined : readKey(property.key, property.computed),
  );
  return keys.filter((key) => key !== undefined);
}

function assignmentIn(node: Node): { to: Node; from: Node } | undefined {
  if (node.type === "VariableDeclarator" && node.init) return { to: node.id, from: node.init };
  if (node.type === "AssignmentPattern" || node.type === "AssignmentExpression")
    return { to: node.left, from: node.right };
  return undefined;
}

function reExportedBy(node: Node): Origin[] | undefined {
  if (node.type === "ExportAllDeclaration") {
    return node.exportKind === "type" ? [] : [{ module: node.source.value, path: [] }];
  }
  if (node.type !== "ExportNamedDeclaration" || !node.source) return undefined;
  const module = node.source.value;
  return node.specifiers
    .filter(({ exportKind }) => exportKind !== "type" && node.exportKind !== "type")
    .map(({ local }) => ({ module, path: [local.type === "Literal" ? local.value : local.name] }));
}

export function usesIn(program: Program): Use[] {
  const uses: Use[] = [];

  function record({ module, path }: Origin, node: Node, form: Use["form"] = "read", args: readonly Node[] = []) {
    const firstText = readLeadingText(args[0]);
    uses.push({ module, name: path.join("."), offset: node.start, form, argumentCount: args.length, firstText });
  }

  function visitCall(node: Node, scope: Scope | undefined): boolean {
    if (node.type !== "CallExpression" && node.type !== "NewExpression") return false;
    const callee = findOrigin(node.callee, scope);
    if (!callee) return false;
    record(callee, node, node.type === "NewExpression" ? "new" : "call", node.arguments);
    for (const argument of node.arguments) visit(argument, scope);
    return true;
  }

  function visitDestructuring(node: Node, scope: Scope | undefined): boolean {
    const assignment = assignmentIn(node);
    const source = assignment && findOrigin(assignment.from, scope);
    const keys = assignment ? keysTakenBy(assignment.to) : [];
    if (!assignment || !source || keys.length === 0) return false;
    for (const key of keys) record(withoutGlobalThis({ ...source, path: [...source.path, key] }), node);
    visit(assignment.to, scope);
    return true;
  }

  function visitInstanceof(node: Node, scope: Scope | undefined): boolean {
    if (node.type !== "BinaryExpression" || node.operator !== "instanceof") return false;
    const right = findOrigin(node.right, scope);
    if (!right) return false;
    record(right, node, "instanceof");
    visit(node.left, scope);
    return true;
  }

  function visitName(node: Node, scope: Scope | undefined): boolean {
    const origin = findOrigin(node, scope);
    if (origin) record(origin, node);
    return origin !== undefined;
  }

  /** What is handed on from another module never gets a name in this file. */
  function visitReExport(node: Node): boolean {
    const handedOn = reExportedBy(node);
    for (const origin of handedOn ?? []) record(origin, node);
    return handedOn !== undefined;
  }

  function visitBareImport(node: Node): void {
    if (node.type === "ImportDeclaration" && node.specifiers.length === 0) {
      record({ module: node.source.value, path: [] }, node);
    }
    if (node.type === "ImportExpression") {
      const module = readText(node.source);
      // A path that only the running program knows hides from every rule about imports.
      record({ module, path: module === undefined ? ["import"] : [] }, node);
    }
  }

  function visit(node: Node, outer: Scope | undefined): void {
    if (isErased(node)) return;
    const scope = scopeInside(node, outer);
    visitBareImport(node);
    const isDone =
      visitReExport(node) ||
      visitCall(node, scope) ||
      visitDestructuring(node, scope) ||
      visitInstanceof(node, scope) ||
      visitName(node, scope);
    if (!isDone) for (const child of listEvaluatedChildren(node)) visit(child, scope);
  }

  visit(program, undefined);
  return uses;
}
