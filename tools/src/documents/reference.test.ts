import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isRecord } from "./json.ts";
import { buildReference } from "./reference.ts";

const API = join(import.meta.dirname, "../../../docs/api");

const OPENAPI = {
  paths: {
    "/api/v1/notes/{id}": {
      patch: {
        summary: "Update a note",
        description: "403 unless by its author.",
        "x-permissions": ["notes:write"],
        "x-effect": "change",
        parameters: [
          { name: "id", in: "path", required: true, schema: { type: "string", minLength: 1, maxLength: 9 } },
          { $ref: "#/components/parameters/kind" },
        ],
        requestBody: {
          content: {
            "application/json": {
              schema: {
                type: "object",
                required: ["body"],
                properties: {
                  body: { type: "string", maxLength: 20 },
                  tags: { type: "array", items: { anyOf: [{ type: "string" }, { type: "null" }] } },
                  of: { type: "object", required: ["at"], properties: { at: { type: "string", format: "date-time" } } },
                },
              },
            },
          },
        },
        responses: { 200: { content: { "*/*": {} } }, default: { $ref: "#/components/responses/Problem" } },
      },
    },
    "/health": { get: { responses: {} } },
  },
  components: {
    parameters: { kind: { name: "kind", in: "query", schema: { $ref: "#/components/schemas/Kind" } } },
    schemas: { Kind: { enum: ["a", "b"] } },
  },
};

it("writes one page a noun, with the description, parameters, body and answers", () => {
  const pages = buildReference(OPENAPI, "soc");
  expect(pages.map(({ name }) => name)).toEqual(["notes", "outside-the-api"]);
  expect(pages[0]?.text).toBe(`# notes (soc)

## PATCH \`/api/v1/notes/{id}\`

Update a note.

403 unless by its author.

permissions: \`notes:write\` · effect: \`change\`

| parameter | in | type | limits |
|---|---|---|---|
| \`id\` | path, required | \`string\` | \`1 to 9 characters\` |
| \`kind\` | query | \`"a" \\| "b"\` |  |

Body:

\`\`\`text
{
  body: string; // at most 20 characters
  tags?: (string | null)[];
  of?: {
    at: string; // date-time
  };
}
\`\`\`

200: \`*/*\`
`);
});

it.each(["player", "soc"])("has every route of the %s, each with its summary", (product) => {
  const openapi: unknown = JSON.parse(readFileSync(join(API, `${product}.openapi.json`), "utf8"));
  const text = buildReference(openapi, product)
    .map((page) => page.text)
    .join("\n");
  const paths = isRecord(openapi) && isRecord(openapi.paths) ? Object.entries(openapi.paths) : [];
  const routes = paths.flatMap(([path, item]) =>
    Object.entries(isRecord(item) ? item : {}).map(([method, operation]) => {
      const summary = isRecord(operation) ? String(operation.summary) : "";
      return `## ${method.toUpperCase()} \`${path}\`\n\n${summary}.\n`;
    }),
  );
  expect(routes.length).toBeGreaterThan(70);
  expect(routes.filter((route) => !text.includes(route))).toEqual([]);
});
