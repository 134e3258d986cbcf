import type { RuleRow } from "../rules/rule.ts";
import type { SigmaRule } from "../sigma/sigma.ts";
import { type ParseFields, splitDocuments } from "../sigma/sigma-yaml.ts";
import {
  type CorrelatedText,
  type DocumentImport,
  type ResolvedImport,
  resolveCorrelation,
  type SigmaImport,
  type UnresolvedCorrelation,
} from "./sigma-import.ts";

/** The ids of the rules that a document may create or change. */
export function listIds(document: SigmaImport): string[] {
  switch (document.state) {
    case "refused":
      return [];
    case "document":
      return document.sigma ? [document.sigma.rule.id] : [];
    case "read":
      return [document.sigma.id];
    case "unresolved":
      return [document.id];
    default:
      return document satisfies never;
  }
}

/** The ids and names that the correlations of an import refer to. */
export function listReferences(documents: readonly SigmaImport[]): string[] {
  return [...new Set(listCorrelations(documents).flatMap(({ rules }) => rules))];
}

/** Whether a rule raises its own alerts: not if correlations name it and none of them requests it. */
export function createStandAloneTest(documents: readonly SigmaImport[]) {
  const generating = listCorrelations(documents).filter(({ isGenerating }) => isGenerating);
  const loud = new Set(generating.flatMap(({ rules }) => rules));
  const silent = new Set(listReferences(documents).filter((reference) => !loud.has(reference)));
  return ({ id, name }: Pick<SigmaRule, "id" | "name">): boolean => !silent.has(id) && !silent.has(name);
}

/** Resolves the rules that each correlation names: in this import first, then among the stored ones. */
export function resolveCorrelations(
  documents: readonly SigmaImport[],
  stored: readonly RuleRow[],
  parse: ParseFields,
): (ResolvedImport | DocumentImport)[] {
  const texts = new Map([...stored.flatMap(toStoredTexts), ...documents.flatMap(toImportedTexts)]);
  return documents.map((each) =>
    each.state === "unresolved" ? resolveCorrelation(each, (reference) => texts.get(reference), parse) : each,
  );
}

function listCorrelations(documents: readonly SigmaImport[]): UnresolvedCorrelation[] {
  return documents.filter((each) => each.state === "unresolved");
}

function toStoredTexts({ sigma, sigma_yaml }: RuleRow): [string, CorrelatedText][] {
  if (sigma === null || sigma_yaml === null) return [];
  return named(sigma, { yaml: sigma_yaml, isCorrelation: splitDocuments(sigma_yaml).length > 1 });
}

function toImportedTexts(document: SigmaImport): [string, CorrelatedText][] {
  if (document.state === "refused" || document.state === "document") return [];
  const { yaml, state } = document;
  return named(state === "read" ? document.sigma : document, { yaml, isCorrelation: state === "unresolved" });
}

function named({ id, name = "" }: { id: string; name?: string }, text: CorrelatedText): [string, CorrelatedText][] {
  return [id, name].filter((each) => each !== "").map((each) => [each, text]);
}
