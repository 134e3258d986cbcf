import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Problem } from "@kit/problem";
import { describe, expect, it } from "vitest";
import { type Command, runCommandLine } from "./commands.ts";

const GREET: Command = {
  name: "user greet",
  takes: "<name> [--loud] [--tag T]…",
  summary: "Greets a user.",
  details: "Politely.",
  options: { loud: { type: "boolean" }, tag: { type: "string", multiple: true } },
  words: { min: 1, max: 1 },
  exitCodes: { 1: "the user is unknown" },
  run: async ({ positionals: [name], values }) => (name === "mona" && values.loud === true ? 0 : 1),
};
const LIST: Command = { name: "user list", summary: "Lists users.", run: async () => 0 };
const FAIL: Command = {
  name: "fail",
  summary: "Fails.",
  run: async () => {
    throw new Problem("unavailable", "the service does not answer");
  },
};

async function run(...words: string[]) {
  let [out, err] = ["", ""];
  const terminal = {
    write(text: string) {
      out += text;
    },
    writeError(text: string) {
      err += text;
    },
  };
  const line = {
    program: "test-program",
    version: "1.2.3",
    commands: [GREET, LIST, FAIL],
    terminal,
    sleep: async () => undefined,
  };
  return { code: await runCommandLine(line, words), out, err };
}

describe("command line", () => {
  it("runs a command of two words with its words and options", async () => {
    expect(await run("user", "greet", "mona", "--loud")).toEqual({ code: 0, out: "", err: "" });
    expect((await run("user", "greet", "mona", "--tag", "a", "--tag", "b")).code).toBe(1);
  });

  it.each([
    [["user", "greet"], "a word is missing"],
    [["user", "greet", "a", "b"], "too many words"],
    [["user", "greet", "a", "--quiet"], "Unknown option '--quiet'"],
    [["user", "list", "x"], "too many words"],
    [["user"], "there is no command 'user'"],
    [["nothing", "here"], "there is no command 'nothing here'"],
    [["fail"], "the service does not answer"],
  ])("ends %j with code 2 and prints the reason to standard error", async (words, why) => {
    const { code, out, err } = await run(...words);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(why);
  });

  it.each(["--help", "-h"])("lists the commands of a group with %s", async (help) => {
    const { code, out, err } = await run("user", help);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/user greet +Greets a user\./);
    expect(out).not.toContain("completion bash");
  });

  it("lists its commands, on standard error when no command was given", async () => {
    const asked = await run("--help");
    expect(asked).toMatchObject({ code: 0, err: "" });
    expect(asked.out).toMatch(/^Usage: test-program <command>\n.*user greet +Greets a user\..*completion bash/s);
    expect(await run()).toEqual({ code: 2, out: "", err: asked.out });
  });

  it("describes a command with its exit codes", async () => {
    const { code, out } = await run("user", "greet", "--help");
    expect(code).toBe(0);
    expect(out).toBe(
      [
        "Usage: test-program user greet <name> [--loud] [--tag T]…",
        "",
        "Greets a user.",
        "Politely.",
        "",
        "Exit codes:",
        "  0  done",
        "  1  the user is unknown",
        "  2  wrong words, or it could not be done",
        "",
      ].join("\n"),
    );
  });

  it("prints its version", async () => {
    expect(await run("--version")).toEqual({ code: 0, out: "test-program 1.2.3\n", err: "" });
  });

  it.each([
    [["us"], "user"],
    [["user", ""], "greet list"],
    [["user", "gr"], "greet"],
    [["user", "greet", "--"], "--loud --tag --help"],
    [["user", "greet", "mona", "--l"], "--loud"],
    [["completion", ""], "bash"],
    [["user", "greet", "some-fi"], ""],
  ])("completes %j in bash to %j", async (typed, expected) => {
    const { out } = await run("completion", "bash");
    const words = ["test-program", ...typed].map((word) => `'${word}'`).join(" ");
    const script = `${out}\nCOMP_WORDS=(${words}); COMP_CWORD=${typed.length}; _test_program; echo "\${COMPREPLY[*]}"`;
    const { stdout } = await promisify(execFile)("bash", ["-c", script]);
    expect(stdout.trim()).toBe(expected);
  });
});
