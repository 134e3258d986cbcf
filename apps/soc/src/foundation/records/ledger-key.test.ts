import { chmod, mkdtemp, readdir, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { verifyEd25519 } from "./digest.ts";
import { isOpenToOthers } from "./key-file.ts";
import { openLedgerKey } from "./ledger-key.ts";

let path: string;
beforeEach(async () => {
  path = join(await mkdtemp(join(tmpdir(), "ledger-key-")), "secrets/ledger.pem");
});

describe("openLedgerKey", () => {
  it("creates the key at the first start, readable by its owner only, and keeps it", async () => {
    const made = await openLedgerKey(path);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const opened = await openLedgerKey(path);
    expect(opened.key_id).toBe(made.key_id);
    const signature = Buffer.from(opened.sign("text"), "hex");
    expect(verifyEd25519(Buffer.from(made.public_key, "hex"), Buffer.from("text"), signature)).toBe(true);
  });

  it("returns the same key to all processes that start concurrently", async () => {
    const keys = await Promise.all(Array.from({ length: 8 }, () => openLedgerKey(path)));
    expect(new Set(keys.map(({ key_id }) => key_id)).size).toBe(1);
    expect(await readdir(dirname(path))).toEqual(["ledger.pem"]);
  });

  it("refuses a key that others can read, and a file without a key", async () => {
    await openLedgerKey(path);
    await chmod(path, 0o640);
    await expect(openLedgerKey(path)).rejects.toThrow(/^SOC_LEDGER_KEY_FILE: must be accessible to its owner only$/);
    await chmod(path, 0o600);
    await writeFile(path, "no key");
    await expect(openLedgerKey(path)).rejects.toThrow(/^SOC_LEDGER_KEY_FILE: must hold an Ed25519 private key$/);
  });

  it("accepts a root-owned file that a group may read but not write, as Kubernetes mounts it", () => {
    expect(isOpenToOthers({ uid: 0, mode: 0o100440 })).toBe(false);
    for (const [uid, mode] of [
      [0, 0o100640],
      [0, 0o100444],
      [10_001, 0o100440],
    ] as const) {
      expect(isOpenToOthers({ uid, mode })).toBe(true);
    }
  });
});
