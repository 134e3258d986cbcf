import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { expect, it } from "vitest";

const PAGE = join(import.meta.dirname, "verifier.html");
const GENERATED = /(?<=\/\/ Generated from verify\.ts[^\n]*\n)[\s\S]*?(?=\/\/ End of what is generated\.)/;

async function buildVerifier(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "silent",
    resolve: { conditions: ["source"] },
    build: {
      write: false,
      minify: false,
      target: "es2023",
      lib: { entry: join(import.meta.dirname, "verify.ts"), formats: ["es"] },
    },
  });
  const [chunk] = [built].flat().flatMap((result) => ("output" in result ? result.output : []));
  if (chunk?.type !== "chunk") throw new Error("nothing was built");
  return chunk.code.replace(/^export .*\n/m, "");
}

/** The content security policy of the page allows only its own script. */
function withPolicy(page: string): string {
  const script = /<script type="module">([\s\S]*)<\/script>/.exec(page)?.[1] ?? "";
  const digest = createHash("sha256").update(script).digest("base64");
  return page.replace(/script-src 'sha256-[^']*'/, `script-src 'sha256-${digest}'`);
}

it("is one file built from the current sources of the verifier (`vitest -u` regenerates it)", async () => {
  const verifier = await buildVerifier();
  const page = readFileSync(PAGE, "utf8").replace(GENERATED, () => verifier);
  await expect(withPolicy(page)).toMatchFileSnapshot(PAGE);
});

it("makes no network requests", () => {
  const page = readFileSync(PAGE, "utf8");
  expect(page).toContain("default-src 'none'");
  expect(page).not.toMatch(/\b(?:src|href)=|\bfetch\(|https?:|import\(/);
});
