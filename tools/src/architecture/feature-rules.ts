import { findPlace, isService, isTest, type Place, resolveImport, roleOf } from "./layout.ts";
import { fileRule, type Rule } from "./rule.ts";
import type { Import, SourceFile } from "./source-file.ts";

type Feature = Extract<Place, { kind: "feature" }>;

/** What a file of each role may import: from its own feature, and from another one. */
const MAY_IMPORT: Readonly<Record<string, { own: readonly string[]; other: readonly string[] }>> = {
  routes: { own: ["routes", "service", "schema", "domain"], other: ["service", "schema", "domain"] },
  worker: { own: ["worker", "service", "store", "schema", "domain"], other: ["service", "schema", "domain"] },
  service: { own: ["service", "store", "schema", "domain"], other: ["service", "schema", "domain"] },
  store: { own: ["store", "schema", "domain"], other: ["schema", "domain"] },
  schema: { own: [], other: [] },
  domain: { own: ["schema", "domain"], other: ["schema", "domain"] },
  actions: { own: ["actions", "service", "store", "schema", "domain"], other: ["service", "schema", "domain"] },
  showcase: { own: ["showcase", "service", "store", "schema", "domain"], other: ["showcase", "schema", "domain"] },
  feature: {
    own: ["feature", "routes", "worker", "service", "store", "schema", "domain", "actions", "showcase"],
    other: ["service", "schema", "domain"],
  },
};

const ROLES = new Set(Object.keys(MAY_IMPORT).filter((role) => role !== "domain"));

/** A plain file may be a part of its feature's services and workers. The file of the noun itself (`case.ts`) is pure. */
const OWN_OF_A_PLAIN_FILE: readonly string[] = ["service", "store", "actions"];

function mayImport(from: Feature, to: Feature, { isType }: Import): boolean {
  const isOwn = from.feature === to.feature;
  if (from.role === "domain" && isType && to.role === "service") return true;
  if (from.role === "domain" && isOwn && OWN_OF_A_PLAIN_FILE.includes(to.role)) return isType || !from.isPure;
  return MAY_IMPORT[from.role]?.[isOwn ? "own" : "other"].includes(to.role) ?? false;
}

function mayImportInfrastructure({ role }: Feature, folder: string, { isType }: Import): boolean {
  if (role === "routes" || (role === "domain" && !isType)) return false;
  const isOpen = folder === "foundation/database" || (role === "feature" && folder === "foundation/outbound");
  return isType || isOpen;
}

function featureRefusal(from: Feature, to: Place, each: Import): string | undefined {
  switch (to.kind) {
    case "composition":
      return `${from.role} must not import what puts the parts together`;
    case "surface":
      return undefined;
    case "infrastructure":
      return mayImportInfrastructure(from, to.folder, each) ? undefined : `${from.role} must not import ${to.folder}/`;
    case "feature": {
      const whose = from.feature === to.feature ? "its" : `the ${to.feature} feature's`;
      return mayImport(from, to, each) ? undefined : `${from.role} must not import ${whose} ${to.role}`;
    }
    default:
      return to satisfies never;
  }
}

function infrastructureRefusal(to: Place, { isType }: Import): string | undefined {
  if (to.kind === "composition") return "infrastructure must not import what puts the parts together";
  if (to.kind !== "feature" || to.role === "schema" || to.role === "domain") return undefined;
  if (to.role === "routes") return "infrastructure must not import routes";
  return isType ? undefined : `infrastructure may only import types of a ${to.role}`;
}

function findRefusal(file: SourceFile, from: Place, each: Import): string | undefined {
  const target = resolveImport(file, each.specifier);
  const to = target === undefined ? undefined : findPlace(target);
  if (!to) return undefined;
  if (from.kind === "feature") return featureRefusal(from, to, each);
  return from.kind === "infrastructure" ? infrastructureRefusal(to, each) : undefined;
}

/** They have a stricter rule of their own. */
function isSchema({ path }: SourceFile): boolean {
  return path.endsWith(".schema.ts");
}

const direction = fileRule(
  "imports point one way",
  "routes decide nothing, services know no HTTP and no SQL, and a feature is deleted by deleting its folder",
  (file) => {
    const from = isTest(file.path) || isSchema(file) ? undefined : findPlace(file.path);
    if (!from) return [];
    return file.imports.flatMap((each) => {
      const refusal = findRefusal(file, from, each);
      return refusal ? [{ line: each.line, message: `${refusal} (${each.specifier})` }] : [];
    });
  },
);

const schemas = fileRule(
  "schemas import typebox only",
  "the user interfaces bundle them, so whatever a schema imports reaches the browser",
  (file) =>
    file.imports
      .filter(() => isSchema(file))
      .filter(({ specifier }) => specifier !== "typebox" && !/^\..*\.schema\.ts$/.test(specifier))
      .map(({ line, specifier }) => ({ line, message: `a schema must not import ${specifier}` })),
);

const roles = fileRule(
  "a file has one of eight roles",
  "a feature is split by its nouns, not by technical kind, so that a reader finds a route in one guess",
  (file) => {
    const role = isService(file.path) && !isTest(file.path) ? roleOf(file.path) : undefined;
    return role === undefined || ROLES.has(role) ? [] : [{ line: 1, message: `'${role}' is not a role` }];
  },
);

export const FEATURE_RULES: readonly Rule[] = [direction, schemas, roles];
