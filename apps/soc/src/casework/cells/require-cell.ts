import type { Frame } from "@kit/http/frame";
import type { FastifyRequest } from "fastify";
import { pairTexts } from "../../foundation/caller/scope.ts";
import { FROZEN_CODE } from "./cell.ts";
import type { CellsService } from "./cells.service.ts";

const SITES = "/api/v1/sites";
const READING: readonly string[] = ["GET", "HEAD"];

/**
 * Refuses a request for a site of another cell, and a change of a site that is being moved. A request names its site in
 * the body or the query; a caller who works for some sites is at home where one of them is.
 */
export function requireCell(app: Pick<Frame, "addHook">, { findRefusals }: Pick<CellsService, "findRefusals">): void {
  app.addHook("preHandler", async (request) => {
    const named = listNamed(request);
    const own = pairTexts(request.caller?.sites ?? []).map(({ id }) => id);
    if (named.length === 0 && own.length === 0) return;
    const found = await findRefusals([...named, ...own]);
    const refusals = new Map(
      [...found].filter(([, { code }]) => code !== FROZEN_CODE || !READING.includes(request.method)),
    );
    const first = named.map((site) => refusals.get(site)).find((refusal) => refusal !== undefined);
    if (first) throw first;
    const [only] = own.map((id) => refusals.get(id));
    if (only && own.every((id) => refusals.has(id))) throw only;
  });
}

function listNamed({ body, query, params, routeOptions: { url } }: FastifyRequest): string[] {
  const named = [readText(body, "site"), readText(query, "site")];
  // A new site must not have the name of one in another cell.
  if (url === SITES) named.push(readText(body, "name"));
  if (url === `${SITES}/:id`) named.push(readText(params, "id"));
  return named.filter((text) => text !== undefined);
}

function readText(given: unknown, field: string): string | undefined {
  if (typeof given !== "object" || given === null) return undefined;
  const value: unknown = Reflect.get(given, field);
  return typeof value === "string" ? value : undefined;
}
