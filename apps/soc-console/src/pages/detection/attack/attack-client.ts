import type { CoverageBody, LayerBody } from "@soc/service/contract/detection/attack/attack";
import type { RuleBody } from "@soc/service/contract/detection/rules/rules";
import type { Static } from "typebox";
import type { ListResponse, Server, Wire } from "../../../app/server/server.ts";

export type Coverage = Wire<Static<typeof CoverageBody>>;
export type Tactic = Coverage["tactics"][number];
export type Technique = Coverage["techniques"][number];
export type CoveredSource = Coverage["sources"][number];
export type TechniqueState = Technique["state"];
export type TechniqueRule = Pick<Wire<Static<typeof RuleBody>>, "id" | "name" | "query" | "type" | "source" | "tags">;

/** Selects the rules that count. */
export interface CoverageFilter {
  tag: string | undefined;
  source: string | undefined;
}

export const COVERAGE_KEY = ["attack", "coverage"] as const;
const SHOWN_RULES = 20;
const SUGGESTED_RULES = 100;

export const readCoverage = (server: Server, filter: CoverageFilter, signal: AbortSignal) =>
  server.get<Coverage>("/detections/coverage", { query: { ...filter }, signal });

/** The coverage of one matrix as a file for ATT&CK Navigator. */
export const readLayer = (server: Server, matrix: string, filter: CoverageFilter) =>
  server.get<Static<typeof LayerBody>>("/detections/coverage/layer", { query: { ...filter, matrix } });

export const readTechniqueRules = (server: Server, technique: string, filter: CoverageFilter, signal: AbortSignal) =>
  server.get<ListResponse<TechniqueRule>>("/detections/rules", {
    query: { ...filter, technique, enabled: true, limit: SHOWN_RULES },
    signal,
  });

/** The newest rules, for the tag suggestions of the filter. */
export const readNewestRules = (server: Server, signal: AbortSignal) =>
  server.get<ListResponse<TechniqueRule>>("/detections/rules", {
    query: { enabled: true, limit: SUGGESTED_RULES },
    signal,
    priority: "prefetch",
  });
