import { rm } from "node:fs/promises";
import type { S3Settings } from "../files/s3-client.ts";
import { createLogEngine, type EngineStorage, type LogEngine, type LogEngineDeps } from "../log-engine/log-engine.ts";

export interface BucketEngineDeps extends Pick<LogEngineDeps, "folder" | "program" | "entry" | "clock" | "log"> {
  settings: S3Settings;
}

/** The name of the bucket among the engine's disks. */
export const BUCKET_DISK = "bucket";
const MEMORY_BYTES = 2 * 1024 ** 3;
const ID_VARIABLE = "MANARA_BUCKET_ID";
const SECRET_VARIABLE = "MANARA_BUCKET_SECRET";

/**
 * A log engine whose tables are in the bucket. The bucket contains everything: the engine starts with an empty folder.
 */
export async function createBucketEngine({ settings, ...deps }: BucketEngineDeps): Promise<LogEngine> {
  await rm(deps.folder, { recursive: true, force: true });
  return createLogEngine({ ...deps, memoryBytes: MEMORY_BYTES, storage: toStorage(settings) });
}

/**
 * `plain_rewritable`: the bucket contains all that another machine needs. By default the engine would retry an
 * unresponsive bucket 500 times.
 */
function toStorage({ url, region, accessKeyId, secretAccessKey }: S3Settings): EngineStorage {
  return {
    xml: `<disks><${BUCKET_DISK}>
<type>object_storage</type><object_storage_type>s3</object_storage_type><metadata_type>plain_rewritable</metadata_type>
<endpoint>${url}/logs/</endpoint><region>${region}</region>
<access_key_id from_env="${ID_VARIABLE}"/><secret_access_key from_env="${SECRET_VARIABLE}"/>
<s3_retry_attempts>5</s3_retry_attempts><s3_max_single_read_retries>2</s3_max_single_read_retries>
<s3_connect_timeout_ms>3000</s3_connect_timeout_ms><s3_request_timeout_ms>10000</s3_request_timeout_ms>
<skip_access_check>true</skip_access_check>
</${BUCKET_DISK}></disks>`,
    environment: { [ID_VARIABLE]: accessKeyId, [SECRET_VARIABLE]: secretAccessKey },
  };
}
