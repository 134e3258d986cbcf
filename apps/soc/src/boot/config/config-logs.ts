import { invalidField } from "@kit/problem";
import Type, { type Static } from "typebox";
import type { S3Settings } from "../../adapters/files/s3-client.ts";
import type { LogAddress } from "../../adapters/log-store.ts";
import { BucketRegion, type BucketSettings, readBucket } from "../files/buckets.ts";

const ADDRESS = "(https?://[^,\\s]+|unix:/[^,\\s]+)";
const MAX_STORES = 32;

export const LOG_VARIABLES = {
  SOC_LOG_STORE: Type.String({ default: "chdb", pattern: `^(chdb|${ADDRESS}(,${ADDRESS})*)$` }),
  SOC_LOG_CLUSTER: Type.Optional(Type.String({ pattern: "^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$" })),
  SOC_LOG_RETENTION_DAYS: Type.Integer({ minimum: 1, maximum: 3650, default: 30 }),
  SOC_LOG_BUCKET: Type.Optional(Type.String({ pattern: "^https?://", maxLength: 1000 })),
  SOC_LOG_BUCKET_KEY_FILE: Type.Optional(Type.String({ minLength: 1 })),
  SOC_LOG_BUCKET_REGION: BucketRegion,
  SOC_LOG_BOX_DAYS: Type.Integer({ minimum: 1, maximum: 3650, default: 7 }),
};
const LogVariables = Type.Object(LOG_VARIABLES);

export interface LogSettings extends LogAddress {
  retentionDays: number;
  /** Days that are older than `boxDays` are moved into the bucket. */
  oldDays?: { bucket: BucketSettings; boxDays: number } | undefined;
}

export function readLogs(read: Static<typeof LogVariables>): LogSettings {
  const { SOC_LOG_STORE: text, SOC_LOG_CLUSTER: cluster, SOC_LOG_RETENTION_DAYS: retentionDays } = read;
  const addresses = text.split(",");
  if (addresses.length > MAX_STORES) throw invalidField("SOC_LOG_STORE", `names more than ${MAX_STORES} log stores`);
  const known = new Map<string, number>();
  for (const [place, address] of addresses.entries()) {
    const store = nameStore(address);
    const first = known.get(store);
    if (first !== undefined) {
      throw invalidField("SOC_LOG_STORE", `names one log store twice, as number ${first} and number ${place + 1}`);
    }
    known.set(store, place + 1);
  }
  if (cluster !== undefined && !addresses.every((address) => address.startsWith("http"))) {
    throw invalidField("SOC_LOG_CLUSTER", "needs SOC_LOG_STORE with http(s):// addresses only");
  }
  return { addresses, cluster, retentionDays, oldDays: readOldDays(read, addresses) };
}

function readOldDays(read: Static<typeof LogVariables>, [first]: readonly string[]): LogSettings["oldDays"] {
  const { SOC_LOG_BUCKET: address, SOC_LOG_BUCKET_KEY_FILE: keyFile, SOC_LOG_BOX_DAYS: boxDays } = read;
  if (address === undefined) {
    if (keyFile !== undefined) throw invalidField("SOC_LOG_BUCKET_KEY_FILE", "needs SOC_LOG_BUCKET");
    return undefined;
  }
  if (first !== "chdb") throw invalidField("SOC_LOG_BUCKET", "needs SOC_LOG_STORE=chdb");
  // A day is moved once it is older, and deleted from the machine a day later.
  if (boxDays + 2 > read.SOC_LOG_RETENTION_DAYS) {
    throw invalidField("SOC_LOG_BOX_DAYS", "must be at least two days less than SOC_LOG_RETENTION_DAYS");
  }
  return { bucket: { address, keyFile, region: read.SOC_LOG_BUCKET_REGION }, boxDays };
}

/** Opens the bucket of old days with its key. Errors name the variable. */
export async function openLogBucket({ oldDays }: LogSettings): Promise<S3Settings | undefined> {
  return oldDays && readBucket("SOC_LOG_BUCKET", oldDays.bucket);
}

/** Identifies the store at an address: credentials and spelling do not make it a different store. */
function nameStore(address: string): string {
  if (!URL.canParse(address)) {
    if (address === "chdb") return address;
    throw invalidField("SOC_LOG_STORE", "has an address that is not a URL");
  }
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname.replace(/\/+$/, "")}`;
}
