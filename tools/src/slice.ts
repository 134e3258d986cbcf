import { execFileSync } from "node:child_process";
import process from "node:process";
import { pickSlice } from "./prove/rotation.ts";

/**
 * Prints the files of the slice that a build of the checked-out commit runs. Consecutive commits have consecutive numbers; a shallow
 * clone cannot count them, and takes the commit's hash.
 */
function main(): void {
  const git = (...words: string[]) => execFileSync("git", words, { encoding: "utf8" }).trim();
  const isShallow = git("rev-parse", "--is-shallow-repository") === "true";
  const number = isShallow
    ? Number.parseInt(git("rev-parse", "HEAD").slice(0, 8), 16)
    : Number(git("rev-list", "--count", "HEAD"));
  process.stdout.write(`${pickSlice(number).join("\n")}\n`);
}

main();
