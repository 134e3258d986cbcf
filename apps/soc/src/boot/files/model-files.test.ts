import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readModelSettings } from "./model-files.ts";

const folder = mkdtempSync(join(tmpdir(), "model-"));
const file = (name: string) => join(folder, name);

beforeAll(() => {
  writeFileSync(file("key"), "sk-1\n", { mode: 0o600 });
  writeFileSync(file("open"), "sk-1\n");
  chmodSync(file("open"), 0o644);
  writeFileSync(file("empty"), "\n", { mode: 0o600 });
  writeFileSync(file("lines"), "sk-secret\r\nx-other: 1\n", { mode: 0o600 });
});
afterAll(() => rmSync(folder, { recursive: true }));

const NONE = { url: undefined, model: undefined, provider: undefined, keyFile: undefined };
const LOCAL = { ...NONE, url: "http://127.0.0.1:11434/v1", model: "qwen3:8b" };

it("is off by default", async () => expect(await readModelSettings(NONE)).toBeUndefined());

it("needs no key for a model on this machine", async () => {
  const settings = {
    provider: "openai-compatible",
    url: "http://127.0.0.1:11434/v1",
    model: "qwen3:8b",
    key: undefined,
  };
  expect(await readModelSettings(LOCAL)).toEqual(settings);
  expect(await readModelSettings({ ...LOCAL, url: "http://127.0.0.1:11434/v1/" })).toEqual(settings);
});

it("reads the key from its file", async () => {
  const given = { ...LOCAL, url: "https://api.anthropic.com/v1", provider: "anthropic", keyFile: file("key") } as const;
  expect(await readModelSettings(given)).toMatchObject({ provider: "anthropic", key: "sk-1" });
});

it.each(["http://10.0.0.5:8000/v1", "http://[fd12::5]/v1", "http://ollama:11434/v1", "http://llm.corp.internal/v1"])(
  "accepts %s without encryption, because it is private",
  async (url) => expect(await readModelSettings({ ...LOCAL, url })).toMatchObject({ url }),
);

it.each([
  [{ ...NONE, model: "m" }, "SOC_LLM_URL: required when SOC_LLM_MODEL is set"],
  [{ ...NONE, provider: "anthropic" as const }, "SOC_LLM_URL: required when SOC_LLM_PROVIDER is set"],
  [{ ...NONE, keyFile: "/k" }, "SOC_LLM_URL: required when SOC_LLM_KEY_FILE is set"],
  [{ ...LOCAL, model: undefined }, "SOC_LLM_MODEL: required when SOC_LLM_URL is set"],
  [{ ...LOCAL, provider: "anthropic" as const }, "SOC_LLM_KEY_FILE: required when SOC_LLM_PROVIDER is anthropic"],
  [{ ...LOCAL, url: "http://localhost:11434/v1" }, "SOC_LLM_URL: must name 127.0.0.1 instead of localhost"],
  [{ ...LOCAL, url: "http://api.example.com/v1" }, "SOC_LLM_URL: must start with https:// unless its host is private"],
  [{ ...LOCAL, url: "http://8.8.8.8/v1" }, "SOC_LLM_URL: must start with https:// unless its host is private"],
  [{ ...LOCAL, url: "https://u:sk-1@api.example.com/v1" }, "SOC_LLM_URL: must not contain credentials"],
  [{ ...LOCAL, url: "https://api.example.com/v1?key=sk-1" }, "SOC_LLM_URL: must have no query and no fragment"],
  [{ ...LOCAL, url: "http://169.254.169.254/v1" }, /^SOC_LLM_URL: must lead to/],
  [{ ...LOCAL, keyFile: file("absent") }, "SOC_LLM_KEY_FILE: must name a readable file"],
  [{ ...LOCAL, keyFile: file("open") }, "SOC_LLM_KEY_FILE: must be accessible to its owner only"],
  [{ ...LOCAL, keyFile: file("empty") }, "SOC_LLM_KEY_FILE: must hold at least 1 bytes"],
  [{ ...LOCAL, keyFile: file("lines") }, "SOC_LLM_KEY_FILE: must contain one key of printable characters"],
])("refuses %j and names the variable", async (given, message) => {
  const refused = await readModelSettings(given).catch((error: unknown) => error);
  const text = refused instanceof Error ? refused.message : "not refused";
  if (message instanceof RegExp) expect(text).toMatch(message);
  else expect(text).toBe(message);
  expect(text).not.toMatch(/sk-/);
});
