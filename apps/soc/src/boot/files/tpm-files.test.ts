import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readEndorsementTrust } from "./tpm-files.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tpm-files-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function write(text: string): Promise<string> {
  const path = join(folder, "given");
  await writeFile(path, text);
  return path;
}

const NAME = `000b${"ab".repeat(32)}`;

it("trusts no TPM unless the operator names it or its manufacturer", async () => {
  const trust = await readEndorsementTrust({ rootsFile: undefined, keysFile: undefined });
  expect(trust).toEqual({ roots: [], names: new Set(), devices: new Map() });
});

it("reads names of keys, one per line", async () => {
  const keysFile = await write(`# kiosk\n${NAME.toUpperCase()}\r\n\n`);
  const { names } = await readEndorsementTrust({ rootsFile: undefined, keysFile });
  expect(names).toEqual(new Set([NAME]));
});

it("reads the name of the device behind the name of its key", async () => {
  const other = NAME.replaceAll("ab", "cd");
  const keysFile = await write(`${NAME} Gate 1\n${other}\n`);
  const { names, devices } = await readEndorsementTrust({ rootsFile: undefined, keysFile });
  expect(names).toEqual(new Set([NAME, other]));
  expect(devices).toEqual(new Map([[NAME, "Gate 1"]]));
});

it.each([
  ["keysFile", "0004abcd", /^SOC_TPM_KEYS_FILE: '0004abcd' is not the name of a key/],
  ["rootsFile", "none", /^SOC_TPM_ROOTS_FILE: must contain certificates as PEM$/],
  [
    "rootsFile",
    "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
    /^SOC_TPM_ROOTS_FILE: certificate 1 cannot be read$/,
  ],
] as const)("refuses an invalid %s by the name of its variable", async (field, text, message) => {
  const files = { rootsFile: undefined, keysFile: undefined, [field]: await write(text) };
  await expect(readEndorsementTrust(files)).rejects.toThrow(message);
});

it("refuses a missing file by the name of its variable", async () => {
  const rootsFile = join(folder, "missing");
  await expect(readEndorsementTrust({ rootsFile, keysFile: undefined })).rejects.toThrow(
    /^SOC_TPM_ROOTS_FILE: cannot be read$/,
  );
});
