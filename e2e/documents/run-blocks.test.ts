import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { buildScript, findMissingOutput, readRunBlocks } from "./run-blocks.ts";

const PAGE = `
\`\`\`sh run service
echo Something is ready at home; sleep 0.1
\`\`\`
\`\`\`sh
exit 1
\`\`\`
\`\`\`sh run
name=world
\`\`\`
\`\`\`sh run
echo "hello $name"
\`\`\`
\`\`\`text output
hello world
\`\`\`
`;

const run = (page: string) =>
  execFileSync("bash", ["-c", buildScript(readRunBlocks(page))], {
    env: { PATH: process.env.PATH, TMPDIR: tmpdir() },
    encoding: "utf8",
  });

it("runs the marked blocks in order in one shell with a background service", () => {
  expect(readRunBlocks(PAGE).map(({ kind }) => kind)).toEqual(["service", "run", "run"]);
  expect(findMissingOutput(readRunBlocks(PAGE), run(PAGE))).toEqual([]);
});

it("reports a missing line and stops at a failing command", () => {
  const other = PAGE.replace("name=world", "name=moon");
  expect(findMissingOutput(readRunBlocks(other), run(other))).toEqual(["block 3: hello world"]);
  expect(() => run(PAGE.replace("name=world", "false"))).toThrow("Command failed");
  expect(() => readRunBlocks("```text output\nx\n```\n")).toThrow("output without a block");
});
