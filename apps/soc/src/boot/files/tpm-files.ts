import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { invalidField } from "@kit/problem";
import type { EndorsementTrust } from "../../devices/module.ts";

/** The files in which the operator lists trusted TPMs. */
export interface TpmFiles {
  /** Certificates of TPM manufacturers, as PEM. */
  rootsFile: string | undefined;
  /** Names of endorsement keys in hex, one per line, each optionally followed by the name of its device. */
  keysFile: string | undefined;
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const NAME = /^000b[0-9a-f]{64}$/;

export async function readEndorsementTrust({ rootsFile, keysFile }: TpmFiles): Promise<EndorsementTrust> {
  const keys = await readKeys(keysFile);
  const devices = new Map(keys.flatMap(({ name, device }) => (device === "" ? [] : [[name, device] as const])));
  return { roots: await readRoots(rootsFile), names: new Set(keys.map(({ name }) => name)), devices };
}

async function readRoots(path: string | undefined): Promise<X509Certificate[]> {
  const blocks = (await readText("SOC_TPM_ROOTS_FILE", path))?.match(CERTIFICATE) ?? [];
  if (path !== undefined && blocks.length === 0)
    throw invalidField("SOC_TPM_ROOTS_FILE", "must contain certificates as PEM");
  return blocks.map((pem, index) => {
    try {
      return new X509Certificate(pem);
    } catch (cause) {
      throw invalidField("SOC_TPM_ROOTS_FILE", `certificate ${index + 1} cannot be read`, { cause });
    }
  });
}

async function readKeys(path: string | undefined): Promise<{ name: string; device: string }[]> {
  const lines = (await readText("SOC_TPM_KEYS_FILE", path))?.split("\n").map((line) => line.trim()) ?? [];
  const keys = lines
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [name = ""] = line.split(/\s/, 1);
      return { name: name.toLowerCase(), device: line.slice(name.length).trim() };
    });
  const wrong = keys.find(({ name }) => !NAME.test(name));
  if (wrong !== undefined)
    throw invalidField("SOC_TPM_KEYS_FILE", `'${wrong.name}' is not the name of a key: 000b and 64 hex digits`);
  return keys;
}

async function readText(variable: string, path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw invalidField(variable, "cannot be read", { cause });
  }
}
