import type { Node, Program, TSType } from "oxc-parser";
import { listChildren } from "./syntax.ts";

export interface FunctionDeclared {
  kind: "function";
  /** Undefined for a function that is only passed on. */
  name: string | undefined;
  isExported: boolean;
  offset: number;
  end: number;
}

export interface TypeDeclared {
  kind: "type";
  name: string;
  /** How many members it lists itself; those of types that it names are not counted. */
  memberCount: number;
  offset: number;
  end: number;
}

export type Declared = FunctionDeclared | TypeDeclared;

function countMembers(type: TSType): number {
  if (type.type === "TSTypeLiteral") return type.members.length;
  if (type.type !== "TSIntersectionType") return 0;
  return type.types.reduce((sum, each) => sum + countMembers(each), 0);
}

function declaredBy(node: Node, parent: Node, isExported: boolean): Declared | undefined {
  const at = { offset: node.start, end: node.end };
  switch (node.type) {
    case "FunctionDeclaration":
      return { kind: "function", name: node.id?.name, isExported, ...at };
    case "ArrowFunctionExpression":
    case "FunctionExpression": {
      const id = parent.type === "VariableDeclarator" ? parent.id : undefined;
      return { kind: "function", name: id?.type === "Identifier" ? id.name : undefined, isExported, ...at };
    }
    case "TSInterfaceDeclaration":
      return { kind: "type", name: node.id.name, memberCount: node.body.body.length, ...at };
    case "TSTypeAliasDeclaration":
      return { kind: "type", name: node.id.name, memberCount: countMembers(node.typeAnnotation), ...at };
    default:
      return undefined;
  }
}

/** The parts of an exported statement that are exported with it: not what stands inside of a function. */
function passesExportOn(node: Node): boolean {
  return (
    node.type === "ExportNamedDeclaration" || node.type === "VariableDeclaration" || node.type === "VariableDeclarator"
  );
}

/** Every function and every named type of a file, also those inside of others. */
export function declarationsIn(program: Program): Declared[] {
  const found: Declared[] = [];
  const pending: { node: Node; parent: Node; isExported: boolean }[] = [
    { node: program, parent: program, isExported: false },
  ];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { node, parent, isExported } = next;
    const declared = declaredBy(node, parent, isExported);
    if (declared) found.push(declared);
    const isExportedInside = node.type === "ExportNamedDeclaration" || (isExported && passesExportOn(node));
    for (const child of listChildren(node)) pending.push({ node: child, parent: node, isExported: isExportedInside });
  }
  return found.sort((left, right) => left.offset - right.offset);
}
