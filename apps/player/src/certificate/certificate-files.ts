import { createPrivateKey } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import { invalidField } from "@kit/problem";
import type { Certificate } from "./certificate.ts";

export interface CertificateFiles {
  certPath: string;
  keyPath: string;
}

/** The operator's own certificate, read from the configured files. */
export async function readCertificateFiles({ certPath, keyPath }: CertificateFiles): Promise<Certificate> {
  const cert = await readNamed("PLAYER_TLS_CERT", certPath);
  const key = await readNamed("PLAYER_TLS_KEY", keyPath);
  try {
    // TLS would treat an empty key file, such as one that is being written, as no key at all, and refuse every
    // handshake.
    createPrivateKey(key);
    createSecureContext({ cert, key });
  } catch (cause) {
    throw invalidField("PLAYER_TLS_CERT", "must be a certificate in PEM, with its key in PLAYER_TLS_KEY", {
      cause,
    });
  }
  return { cert, key, authority: undefined };
}

async function readNamed(variable: string, path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw invalidField(variable, "must name a readable file", { cause });
  }
}
