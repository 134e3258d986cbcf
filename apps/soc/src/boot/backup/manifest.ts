import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { invalidField } from "@kit/problem";
import { canonicalJson } from "@kit/query/canonical-json";
import Type, { type Static } from "typebox";
import Value from "typebox/value";
import { verifyEd25519 } from "../../foundation/records/digest.ts";
import type { LedgerKey } from "../../foundation/records/ledger-key.ts";

const Sha256 = Type.String({ pattern: "^[0-9a-f]{64}$" });
const Count = Type.Integer({ minimum: 0 });
const Instant = Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$" });

/** The contents of a backup folder. It is written last: a folder without it is not a backup. */
export const Manifest = Type.Object(
  {
    manara_soc_backup: Type.Literal(1),
    /** The release that made the backup. */
    version: Type.String(),
    /** Everything that was acknowledged before this instant of the database clock is in the backup. */
    instant: Instant,
    database: Type.Object({
      server_version: Type.String(),
      migrations: Type.Array(Type.String()),
      /** The number of rows of each table. */
      rows: Type.Record(Type.String(), Count),
    }),
    /** Null if the logs are in the operator's ClickHouse. */
    logs: Type.Union([
      Type.Null(),
      Type.Object({
        /** No log with an earlier ingest time can be stored any more. */
        before: Instant,
        /** The number of these logs; the values differ only if logs expired or a site was moved during the backup. */
        min_rows: Count,
        max_rows: Count,
      }),
    ]),
    /** The contents of case files; null if they are in a bucket. */
    files: Type.Union([Type.Null(), Type.Array(Sha256)]),
    /** Entries in the tree of the ledger. */
    ledger_entries: Count,
    /** The fingerprints of the keys that the data needs. */
    keys: Type.Record(Type.String(), Type.String()),
    /** The full backup that this one extends; null for a full backup. */
    base: Type.Union([Type.Null(), Type.Object({ folder: Type.String(), manifest_sha256: Sha256 })]),
    /** The digest of each file in the folder, by path. */
    sha256: Type.Record(Type.String(), Sha256),
    /** The signature over all of the above, with the key of the ledger. */
    signature: Type.String({ pattern: "^[0-9a-f]{128}$" }),
  },
  { additionalProperties: false },
);
export type Manifest = Static<typeof Manifest>;

export const MANIFEST_FILE = "manifest.json";
export const DUMP_FILE = "database.dump";
export const LOGS_FOLDER = "logs";
/** Written by the engine. It is the only part of a full backup that is read when another backup extends it. */
export const LIST_OF_LOGS = `${LOGS_FOLDER}/.backup`;
export const FILES_FOLDER = "files";

/** Reads the manifest of a folder; the option is the one that named the folder. */
export async function readManifest(option: string, folder: string): Promise<{ manifest: Manifest; text: string }> {
  const text = await readFile(join(folder, MANIFEST_FILE), "utf8").catch((cause: unknown) => {
    throw invalidField(option, `${folder} is not a complete backup: ${MANIFEST_FILE} cannot be read`, { cause });
  });
  return { manifest: parseManifest(option, text), text };
}

export function signManifest(key: LedgerKey, statement: Omit<Manifest, "signature">): Manifest {
  return { ...statement, signature: key.sign(formatStatement(statement)) };
}

/** Refuses a manifest that the key has not signed: write access to the storage is not enough to forge a backup. */
export function requireSignature(
  option: string,
  { signature, ...statement }: Manifest,
  { public_key }: LedgerKey,
): void {
  const message = Buffer.from(formatStatement(statement));
  if (verifyEd25519(Buffer.from(public_key, "hex"), message, Buffer.from(signature, "hex"))) return;
  throw invalidField(option, `${MANIFEST_FILE} is not signed by ledger.key`);
}

// The outer name prevents a signature from being valid for another statement of the same key.
function formatStatement(statement: Omit<Manifest, "signature">): string {
  return canonicalJson({ backup: statement });
}

export function parseManifest(option: string, text: string): Manifest {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch (cause) {
    throw invalidField(option, `${MANIFEST_FILE} is not JSON`, { cause });
  }
  if (Value.Check(Manifest, read)) return read;
  const [fault] = Value.Errors(Manifest, read);
  throw invalidField(option, `${MANIFEST_FILE} is not one of this release: ${fault?.instancePath} ${fault?.message}`);
}
