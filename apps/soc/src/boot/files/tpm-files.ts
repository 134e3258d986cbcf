import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { invalidField } from "@kit/problem";
import type { EndorsementTrust } from "../../devices/module.ts";

/** The files in which the operator lists trusted TPMs. */
export interface TpmFiles {
  /** Certificates of TPM manufacturers, as PEM. */
  rootsFile: string | undefined;
  /** Names of endorsement keys in hex, one per line. */
  keysFile: string | undefined;
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const NAME = /^000b[0-9a-f]{64}$/;

export async function readEndorsementTrust({ rootsFile, keysFile }: TpmFiles): Promise<EndorsementTrust> {
  return { roots: await readRoots(rootsFile), names: await readNames(keysFile) };
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

async function readNames(path: string | undefined): Promise<Set<string>> {
  const lines = (await readText("SOC_TPM_KEYS_FILE", path))?.split("\n").map((line) => line.trim().toLowerCase()) ?? [];
  const names = lines.filter((line) => line !== "" && !line.startsWith("#"));
  const wrong = names.find((name) => !NAME.test(name));
  if (wrong !== undefined)
    throw invalidField("SOC_TPM_KEYS_FILE", `'${wrong}' is not the name of a key: 000b and 64 hex digits`);
  return new Set(names);
}

async function readText(variable: string, path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw invalidField(variable, "cannot be read", { cause });
  }
}
