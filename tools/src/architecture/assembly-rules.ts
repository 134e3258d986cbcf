import { posix } from "node:path";
import { findPlace, isTest, resolveImport, roleOf } from "./layout.ts";
import { fileRule } from "./rule.ts";
import type { Import, SourceFile } from "./source-file.ts";

const SOC = "apps/soc/src/";
/** It assembles what every feature stands on. */
const BASE = `${SOC}foundation/base.ts`;
const WIRE = /^apps\/soc\/src\/boot\/wire(?:-\w+)?\.ts$/;
const SERVICE_FACTORY = /^create[A-Z]\w*Service$/;
const STORE_FACTORY = /^create[A-Z]\w*(Store|Writer)$/;
const FACTORY = /^create[A-Z]/;
const ASSEMBLED_ROLES = new Set(["routes", "service", "store", "worker", "actions", "showcase"]);

const MAX_MEMBERS = 15;

function isInside(folder: string, path: string): boolean {
  return path.startsWith(`${folder}/`);
}

function findFeature(path: string): string | undefined {
  const place = findPlace(path);
  if (place?.kind === "feature") return place.feature;
  return place?.kind === "infrastructure" ? place.folder : undefined;
}

function findRefusal(file: SourceFile, target: string, each: Import): string | undefined {
  const isOwn = isInside(posix.dirname(file.path), target) || findFeature(file.path) === findFeature(target);
  const assembles = isOwn && roleOf(file.path) === "feature";
  const role = roleOf(target) ?? "";
  if (findPlace(file.path)?.kind === "composition") {
    const isAssembled = !each.isType && ASSEMBLED_ROLES.has(role);
    return isAssembled ? `the feature file hands out its ${role}` : undefined;
  }
  if (assembles) return undefined;
  if (role === "service" && each.values.some((name) => SERVICE_FACTORY.test(name))) {
    return "only the feature file of that folder creates its services";
  }
  return role === "store" && !isOwn && each.values.some((name) => STORE_FACTORY.test(name))
    ? "only the feature that owns a store creates it"
    : undefined;
}

export const assembly = fileRule(
  "only a feature file assembles a feature",
  "product and tests build a feature by the same function, so a new dependency is wired in one place",
  (file) => {
    if (!file.path.startsWith(SOC) || isTest(file.path) || file.path === BASE) return [];
    return file.imports.flatMap((each) => {
      const target = resolveImport(file, each.specifier);
      const refusal = target?.startsWith(SOC) ? findRefusal(file, target, each) : undefined;
      return refusal ? [{ line: each.line, message: `${refusal} (${each.specifier})` }] : [];
    });
  },
);

export const serviceFiles = fileRule(
  "a service file creates a service",
  "a role in a file's name tells what the file exports; a file that is something else has a name that says so",
  ({ path, declarations }) => {
    if (!path.startsWith(SOC) || isTest(path) || roleOf(path) !== "service") return [];
    const isService = declarations.some(
      (each) => each.kind === "function" && each.isExported && SERVICE_FACTORY.test(each.name ?? ""),
    );
    return isService ? [] : [{ line: 1, message: "exports no create…Service" }];
  },
);

export const storeFiles = fileRule(
  "a store file exports factories",
  "create…Store(db) and create…Writer(tx) take the database or the transaction once, so that every store is called alike",
  ({ path, declarations }) =>
    path.startsWith(SOC) && !isTest(path) && roleOf(path) === "store"
      ? declarations
          .filter((each) => each.kind === "function")
          .filter(({ name, isExported }) => isExported && !FACTORY.test(name ?? ""))
          .map(({ name, line }) => ({
            line,
            message: `exports ${name ?? "a function"}, which is not a factory create…`,
          }))
      : [],
);

/** A list of parts, or the registrations of one. The spread of a part's object hides what it hands over. */
const NAMED_SPREAD = /^\.\.\.(?:\[|(?:\w+\.)?registrations\b|recorded\b|spanning\b)/;

export const namedDependencies = fileRule(
  "wire.ts names every dependency",
  "object spread hides which service a part receives, and same-named members replace each other without an error",
  ({ path, text }) =>
    WIRE.test(path)
      ? [...text.matchAll(/\.\.\.\S+/g)]
          .filter(([spread]) => !NAMED_SPREAD.test(spread))
          .map(({ 0: spread, index }) => ({
            line: text.slice(0, index).split("\n").length,
            message: `spreads ${spread.slice(3)}`,
          }))
      : [],
);

export const dependencyCount = fileRule(
  "a factory takes few dependencies",
  "a function that needs more than fifteen things does more than one thing",
  ({ path, declarations }) =>
    path.startsWith(SOC) && !isTest(path)
      ? declarations
          .filter((each) => each.kind === "type")
          .filter(({ name, memberCount }) => /(Deps|Parts)$/.test(name) && memberCount > MAX_MEMBERS)
          .map(({ name, memberCount, line }) => ({
            line,
            message: `${name} has ${memberCount} members, more than ${MAX_MEMBERS}`,
          }))
      : [],
);
