import type { Frame } from "@kit/http/frame";
import { invalidField } from "@kit/problem";
import type { FastifyRequest } from "fastify";
import { pairTexts, type SiteName } from "../../foundation/caller/caller.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import { SITE_KEYWORD, SITE_RULES, type SiteRule } from "./site-fields.schema.ts";
import type { SitesService } from "./sites.service.ts";

interface SiteField {
  part: "query" | "body";
  path: readonly string[];
  rule: SiteRule;
}

/**
 * Replaces each site in a request by the form that the records of its route store. The schema of the route declares
 * which fields name sites.
 */
export function resolveSites(app: Pick<Frame, "addHook">, sites: Pick<SitesService, "findNames" | "isRecorded">): void {
  app.addHook("onRoute", (route) => {
    const { querystring, body } = route.schema ?? {};
    const fields = [...listSiteFields(querystring, "query"), ...listSiteFields(body, "body")];
    if (fields.length === 0) return;
    const resolve = async (request: FastifyRequest): Promise<void> => {
      for (const field of fields) await replaceSites(request, field);
    };
    route.preHandler = [resolve, ...[route.preHandler ?? []].flat()];
  });

  async function replaceSites(request: FastifyRequest, { part, path, rule }: SiteField): Promise<void> {
    const parent = path.slice(0, -1).reduce(readField, request[part]);
    const name = path.at(-1) ?? "";
    const value = readField(parent, name);
    if (!isRecord(parent) || value === undefined || value === null) return;
    const texts = [value].flat().filter((text) => typeof text === "string");
    const field = path.join(".");
    const known = await findKnown(request, field, texts);
    const resolved: string[] = [];
    for (const text of texts) {
      const site = findSite(known, text);
      if (!site) await requirePassed(request, field, text, rule);
      resolved.push(...listHeld(site, text, rule, Array.isArray(value)));
    }
    parent[name] = Array.isArray(value) ? resolved : resolved[0];
  }

  /** A caller restricted to sites learns of no other site. */
  async function findKnown({ caller }: FastifyRequest, field: string, texts: string[]): Promise<readonly SiteName[]> {
    if (caller?.sites) return pairTexts(caller.sites);
    requireStorable({ [field]: texts });
    return sites.findNames(texts.flatMap((text) => [text, text.toLowerCase()]));
  }

  async function requirePassed({ caller }: FastifyRequest, field: string, text: string, rule: SiteRule): Promise<void> {
    const { unknown } = SITE_RULES[rule];
    if (unknown === "passed") return;
    if (caller?.sites) throw invalidField(field, `'${text}' is not one of your sites`);
    if (unknown === "recorded" && (await sites.isRecorded(text))) return;
    throw invalidField(field, `'${text}' does not exist`);
  }
}

/** Ids are UUIDs, which are case-insensitive. */
function findSite(known: readonly SiteName[], text: string): SiteName | undefined {
  return known.find(({ id }) => id === text.toLowerCase()) ?? known.find(({ name }) => name === text);
}

/** A list of names also includes the ids, because logs may store either. */
function listHeld(site: SiteName | undefined, text: string, rule: SiteRule, isList: boolean): string[] {
  if (!site) return [text];
  const { holds } = SITE_RULES[rule];
  return holds === "name" && isList ? [site.name, site.id] : [site[holds]];
}

/** Lists the fields of a schema that name sites, including those of nested objects and lists. */
function listSiteFields(schema: unknown, part: SiteField["part"], path: readonly string[] = []): SiteField[] {
  if (!isRecord(schema)) return [];
  const rule = schema[SITE_KEYWORD];
  if (isSiteRule(rule)) return [{ part, path, rule }];
  const alternatives: unknown[] = Array.isArray(schema.anyOf) ? schema.anyOf : [];
  const properties = isRecord(schema.properties) ? Object.entries(schema.properties) : [];
  return [
    ...[schema.items, ...alternatives].flatMap((each) => listSiteFields(each, part, path)),
    ...properties.flatMap(([name, each]) => listSiteFields(each, part, [...path, name])),
  ];
}

function isSiteRule(value: unknown): value is SiteRule {
  return typeof value === "string" && value in SITE_RULES;
}

function readField(parent: unknown, name: string): unknown {
  return isRecord(parent) ? parent[name] : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
