import { readFileSync } from "node:fs";
import { createFakeIds } from "@kit/clock/fake";
import { expect, it } from "vitest";
import { createFrame } from "./frame.ts";
import { inlineReferences } from "./openapi.ts";

interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  required?: string[];
  default?: unknown;
}

/** The request bodies of a product, by their routes, as its OpenAPI document publishes them. */
function listBodies(product: string): [string, Schema][] {
  const document = inlineReferences(JSON.parse(readFileSync(`docs/api/${product}.openapi.json`, "utf8")));
  const { paths } = document as { paths: Record<string, Record<string, Operation>> };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody }]): [string, Schema][] => {
      const schema = requestBody?.content["application/json"]?.schema;
      return schema?.properties ? [[`${method} ${path}`, schema]] : [];
    }),
  );
}

interface Operation {
  requestBody?: { content: Record<string, { schema?: Schema }> };
}

/** Null for every optional field, also in nested objects and in items. */
function fillWithNulls({ properties = {}, required = [] }: Schema): Record<string, unknown> {
  const entries = Object.entries(properties).flatMap(([name, schema]): [string, unknown][] => {
    if (schema.properties) return [[name, fillWithNulls(schema)]];
    if (schema.items?.properties) return [[name, [fillWithNulls(schema.items)]]];
    return required.includes(name) ? [] : [[name, null]];
  });
  return Object.fromEntries(entries);
}

/** The same schema, satisfied by an empty body: only what is there is checked. */
function withoutRequired(schema: Schema): Schema {
  const isOnlyRequired = (each: object) => Object.keys(each).join() === "required";
  const text = JSON.stringify(schema, (key, value) => {
    if (key === "required" && Array.isArray(value)) return undefined;
    return key === "oneOf" && Array.isArray(value) && value.every(isOnlyRequired) ? undefined : value;
  });
  return JSON.parse(text, (key, value) => (key === "minProperties" || key === "minItems" ? undefined : value));
}

it.each(["soc", "player"])("accepts null for every optional field of every request body of %s", async (product) => {
  const pages = { folder: import.meta.dirname, api: "/api" };
  const errorBody = (error: string) => ({ error });
  const app = createFrame({ errorBody, ids: createFakeIds(), bodyBytes: 1_000_000, bodyDepth: 32, pages });
  const bodies = listBodies(product);
  for (const [place, [, schema]] of bodies.entries())
    app.post(`/${place}`, { schema: { body: withoutRequired(schema) } }, async () => ({}));
  const refused: [string, string][] = [];
  for (const [place, [route, schema]] of bodies.entries()) {
    const topLevel = Object.keys(fillWithNulls(schema)).filter((name) => !schema.required?.includes(name));
    for (const payload of [fillWithNulls(schema), Object.fromEntries(topLevel.map((name) => [name, null]))]) {
      const answered = await app.inject({ method: "POST", url: `/${place}`, payload });
      if (answered.statusCode !== 200) refused.push([route, answered.body]);
    }
  }
  expect(bodies.length).toBeGreaterThan(20);
  expect(refused).toEqual([]);
});
