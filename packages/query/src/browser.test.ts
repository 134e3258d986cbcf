import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Rolldown } from "vite";
import { expect, it } from "vitest";

const MAX_BYTES = 12 * 1024;
const FOLDER = import.meta.dirname;

it("imports nothing from Node, so that a browser checks queries with the same code", async () => {
  const sources = readdirSync(FOLDER).filter((name) => !name.endsWith(".test.ts"));
  const imports = sources.flatMap((name) =>
    [...readFileSync(join(FOLDER, name), "utf8").matchAll(/from "([^"]+)"/g)].map(([, from = ""]) => from),
  );
  expect(imports.filter((from) => !from.startsWith("./") && from !== "@kit/problem")).toEqual([]);
});

it("has a browser bundle of a few kilobytes", async () => {
  const entries = ["query-check", "query-completion"].map((name) => join(FOLDER, `${name}.ts`));
  const built = await build({
    root: FOLDER,
    configFile: false,
    logLevel: "silent",
    resolve: { conditions: ["source"] },
    build: { write: false, lib: { entry: entries, formats: ["es"] } },
  });
  const outputs = (Array.isArray(built) ? built : [built]) as Rolldown.RolldownOutput[];
  const code = outputs
    .flatMap(({ output }) => output.map((chunk) => (chunk.type === "chunk" ? chunk.code : "")))
    .join("");
  expect(code).not.toMatch(/node:|browser-external|Buffer\b|process\./);
  expect(code).toContain("something to look for is missing");
  expect(gzipSync(code).length).toBeLessThan(MAX_BYTES);
});
