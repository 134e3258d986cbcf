import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { existsSync } from "node:fs";
import { link, mkdir, mkdtemp, open, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Problem } from "@kit/problem";
import type { LedgerKey } from "./ledger.ts";

/** Opens the key, or makes it when there is none yet. Several processes may start at once: all get the same one. */
export async function openLedgerKey(path: string): Promise<LedgerKey> {
  if (!existsSync(path)) await makeOnce(path);
  const { mode } = await stat(path);
  if ((mode & 0o077) !== 0) throw new Problem("invalid", "SOC_LEDGER_KEY_FILE: must be accessible to its owner only");
  return toLedgerKey(readPrivateKey(await readFile(path)));
}

async function makeOnce(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(`${path}-`);
  try {
    const draft = join(folder, "draft");
    const file = await open(draft, "wx", 0o600);
    await file.writeFile(generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }));
    await file.sync();
    await file.close();
    // A link appears whole or not at all, and never takes the place of a file that is there.
    await link(draft, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    await rm(folder, { recursive: true });
  }
}

function readPrivateKey(pem: Buffer): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch (cause) {
    throw new Problem("invalid", "SOC_LEDGER_KEY_FILE: must hold an Ed25519 private key", { cause });
  }
  throw new Problem("invalid", "SOC_LEDGER_KEY_FILE: must hold an Ed25519 private key");
}

function toLedgerKey(privateKey: KeyObject): LedgerKey {
  const publicKey = Buffer.from(createPublicKey(privateKey).export({ format: "jwk" }).x ?? "", "base64url");
  return {
    key_id: createHash("sha256").update(publicKey).digest("hex"),
    public_key: publicKey.toString("hex"),
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString("hex"),
  };
}
