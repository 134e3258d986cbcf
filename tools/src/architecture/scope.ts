import type { ImportDeclaration, Node } from "oxc-parser";

/** Where a name comes from: a module and what was taken from it, or a global when there is no module. */
export interface Origin {
  module: string | undefined;
  path: readonly string[];
}

export interface Scope {
  names: ReadonlyMap<string, Origin | "local">;
  outer: Scope | undefined;
}

function collectNames(pattern: Node): string[] {
  switch (pattern.type) {
    case "Identifier":
      return [pattern.name];
    case "ObjectPattern":
      return pattern.properties.flatMap((property) =>
        collectNames(property.type === "RestElement" ? property.argument : property.value),
      );
    case "ArrayPattern":
      return pattern.elements.flatMap((element) => (element ? collectNames(element) : []));
    case "AssignmentPattern":
      return collectNames(pattern.left);
    case "RestElement":
      return collectNames(pattern.argument);
    case "TSParameterProperty":
      return collectNames(pattern.parameter);
    default:
      return [];
  }
}

function namesDeclaredBy(statement: Node): string[] {
  switch (statement.type) {
    case "VariableDeclaration":
      // "declare const process" only describes the global; it does not hide it.
      return statement.declare ? [] : statement.declarations.flatMap(({ id }) => collectNames(id));
    case "FunctionDeclaration":
    case "ClassDeclaration":
      return statement.id && !statement.declare ? [statement.id.name] : [];
    case "ExportNamedDeclaration":
    case "ExportDefaultDeclaration":
      return statement.declaration ? namesDeclaredBy(statement.declaration) : [];
    default:
      return [];
  }
}

function importedNames({ source, specifiers, importKind }: ImportDeclaration): [string, Origin | "local"][] {
  return specifiers.map((specifier) => {
    const isType = importKind === "type" || (specifier.type === "ImportSpecifier" && specifier.importKind === "type");
    if (isType) return [specifier.local.name, "local"];
    const isWhole = specifier.type !== "ImportSpecifier";
    const name = isWhole
      ? []
      : [specifier.imported.type === "Literal" ? specifier.imported.value : specifier.imported.name];
    return [specifier.local.name, { module: source.value, path: name.filter((part) => part !== "default") }];
  });
}

function namesOpenedBy(node: Node): string[] | undefined {
  switch (node.type) {
    case "BlockStatement":
    case "StaticBlock":
      return node.body.flatMap(namesDeclaredBy);
    case "SwitchStatement":
      return node.cases.flatMap((each) => each.consequent).flatMap(namesDeclaredBy);
    case "FunctionDeclaration":
    case "FunctionExpression":
      return [...(node.id ? [node.id.name] : []), ...node.params.flatMap(collectNames)];
    case "ArrowFunctionExpression":
      return node.params.flatMap(collectNames);
    case "ClassExpression":
      return node.id ? [node.id.name] : [];
    case "ForStatement":
      return node.init ? namesDeclaredBy(node.init) : [];
    case "ForInStatement":
    case "ForOfStatement":
      return namesDeclaredBy(node.left);
    case "CatchClause":
      return node.param ? collectNames(node.param) : [];
    default:
      return undefined;
  }
}

/** The scope that holds inside the node: a new one when the node opens one. */
export function scopeInside(node: Node, outer: Scope | undefined): Scope | undefined {
  if (node.type === "Program") {
    const imported = node.body.flatMap((each) => (each.type === "ImportDeclaration" ? importedNames(each) : []));
    const declared = node.body.flatMap(namesDeclaredBy).map((name) => [name, "local"] as const);
    return { names: new Map([...imported, ...declared]), outer };
  }
  const names = namesOpenedBy(node);
  return names ? { names: new Map(names.map((name) => [name, "local"])), outer } : outer;
}

/** Undefined when the name belongs to the file itself. */
export function originOfName(name: string, scope: Scope | undefined): Origin | undefined {
  for (let current = scope; current; current = current.outer) {
    const found = current.names.get(name);
    if (found) return found === "local" ? undefined : found;
  }
  return { module: undefined, path: [name] };
}
