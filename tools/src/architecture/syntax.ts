import { type Node, visitorKeys } from "oxc-parser";

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

export function listChildren(node: Node): Node[] {
  return (visitorKeys[node.type] ?? [])
    .flatMap((key): unknown => {
      const child: unknown = Reflect.get(node, key);
      return child;
    })
    .filter(isNode);
}

const ERASED_AROUND_A_VALUE = new Set([
  "TSAsExpression",
  "TSInstantiationExpression",
  "TSNonNullExpression",
  "TSParameterProperty",
  "TSSatisfiesExpression",
  "TSTypeAssertion",
]);

/** True for what the compiler erases as a whole: no name in it is ever read at run time. */
export function isErased(node: Node): boolean {
  return node.type.startsWith("TS") && !ERASED_AROUND_A_VALUE.has(node.type);
}

/** The children that are evaluated: property names, labels and export names are not. */
export function listEvaluatedChildren(node: Node): Node[] {
  switch (node.type) {
    case "MemberExpression":
      return node.computed ? [node.object, node.property] : [node.object];
    case "Property":
    case "MethodDefinition":
    case "PropertyDefinition":
    case "AccessorProperty":
      return listChildren(node).filter((child) => node.computed || child !== node.key);
    case "ExportSpecifier":
      return [node.local];
    case "LabeledStatement":
      return [node.body];
    case "ImportDeclaration":
    case "MetaProperty":
    case "BreakStatement":
    case "ContinueStatement":
      return [];
    default:
      return listChildren(node);
  }
}

/** The text of a string that needs no evaluation. */
export function readText(node: Node | null | undefined): string | undefined {
  if (node?.type === "Literal" && typeof node.value === "string") return node.value;
  if (node?.type === "TemplateLiteral" && node.expressions.length === 0) return node.quasis[0]?.value.raw;
  return undefined;
}

/** The text that a string starts with, also when the rest is computed. */
export function readLeadingText(node: Node | undefined): string | undefined {
  return node?.type === "TemplateLiteral" ? node.quasis[0]?.value.raw : readText(node);
}
