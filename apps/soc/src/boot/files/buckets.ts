import { invalidField } from "@kit/problem";
import Type from "typebox";
import type { S3Settings } from "../../adapters/files/s3-client.ts";
import { readKey } from "../../foundation/outbound/http-adapters.ts";
import { parseOperatorAddress } from "../../foundation/outbound/operator-address.ts";

/** A bucket as configured by the operator. */
export interface BucketSettings {
  /** The URL of the bucket, optionally with a prefix. */
  address: string;
  keyFile: string | undefined;
  region: string;
}

export const BucketRegion = Type.String({ default: "us-east-1", pattern: "^[A-Za-z0-9-]{1,64}$" });

const BUCKET_AND_PREFIX = /^(\/[A-Za-z0-9][A-Za-z0-9._~-]*)+$/;
const KEY = /^([\x21-\x39\x3b-\x7e]{1,256}):([\x21-\x7e]{1,256})$/;

/** Reads the bucket with its key. Errors name the setting of the bucket or the variable of its key. */
export async function readBucket(
  name: string,
  { address, keyFile, region }: BucketSettings,
  keyVariable = `${name}_KEY_FILE`,
): Promise<S3Settings> {
  if (keyFile === undefined) throw invalidField(keyVariable, `required when ${name} is a URL`);
  const url = parseOperatorAddress(name, address);
  if (!BUCKET_AND_PREFIX.test(new URL(url).pathname)) {
    throw invalidField(name, "must name a bucket, and optionally a prefix, after the host");
  }
  const [, accessKeyId, secretAccessKey] = KEY.exec((await readKey(keyVariable, keyFile, 1)).toString()) ?? [];
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw invalidField(keyVariable, "must contain the id and the secret of an access key, separated by a colon");
  }
  return { url, accessKeyId, secretAccessKey, region };
}
