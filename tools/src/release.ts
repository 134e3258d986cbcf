import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { makeRelease } from "./release/release.ts";

const USAGE = `Usage: npm run release -- VERSION --out DIR --key FILE --apt-key FINGERPRINT [--packages DIR]

Makes what is published: packages, a repository of them for apt, SBOM, licences, checksums and a provenance statement, signed.
  --out       a folder that is new or empty
  --key       the secret key of minisign; it asks for its password, if it has one
  --apt-key   a secret key of gpg, for the repository of apt; its agent asks for its password
  --packages  packages that exist already; otherwise every script package:* builds its own
`;
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** minisign asks for the password of its key in the terminal. */
async function execute(program: string, words: readonly string[]): Promise<string> {
  const isAsking = program === "minisign";
  const child = spawn(program, words, { cwd: ROOT, stdio: ["inherit", isAsking ? "inherit" : "pipe", "inherit"] });
  const ended = once(child, "close");
  const printed = child.stdout ? await text(child.stdout) : "";
  await ended;
  if (child.exitCode !== 0) throw new Error(`${program} ${words.join(" ")}: exit code ${String(child.exitCode)}`);
  return printed;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      out: { type: "string" },
      key: { type: "string" },
      "apt-key": { type: "string" },
      packages: { type: "string" },
    },
  });
  const [version] = positionals;
  const { out, key, "apt-key": aptKey, packages } = values;
  const isComplete = out !== undefined && key !== undefined && aptKey !== undefined;
  if (version === undefined || positionals.length > 1 || !isComplete) {
    process.stderr.write(USAGE);
    return 2;
  }
  const options = { root: ROOT, version, out, key, aptKey, packages, node: process.version };
  for (const name of await makeRelease(options, execute)) process.stdout.write(`${name}\n`);
  return 0;
}

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 1;
});
