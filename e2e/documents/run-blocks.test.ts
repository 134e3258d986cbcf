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

it("runs the marked blocks in order in one shell, a service beside them", () => {
  expect(readRunBlocks(PAGE).map(({ kind }) => kind)).toEqual(["service", "run", "run"]);
  expect(findMissingOutput(readRunBlocks(PAGE), run(PAGE))).toEqual([]);
});

it("reports a line that is missing, and ends with a command that fails", () => {
  const other = PAGE.replace("name=world", "name=moon");
  expect(findMissingOutput(readRunBlocks(other), run(other))).toEqual(["block 3: hello world"]);
  expect(() => run(PAGE.replace("name=world", "false"))).toThrow("Command failed");
  expect(() => readRunBlocks("```text output\nx\n```\n")).toThrow("output without a block");
});
