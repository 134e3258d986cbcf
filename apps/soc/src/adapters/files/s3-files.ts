import type { Clock } from "@kit/clock";
import type { FileStore } from "../../ports/file-store.ts";
import { createS3Client, type S3Settings } from "./s3-client.ts";

export interface S3FilesDeps {
  settings: S3Settings;
  clock: Pick<Clock, "now">;
}

/** File contents in a bucket of an S3-compatible store. */
export function createS3Files(deps: S3FilesDeps): FileStore {
  const s3 = createS3Client({ name: "file store", ...deps });
  return {
    async keep({ path, sha256, size_bytes }) {
      await s3.require(await s3.ask({ method: "PUT", key: sha256, body: { sha256, path, size_bytes } }), [200]);
    },

    async open(sha256) {
      const answer = await s3.ask({ method: "GET", key: sha256 });
      if (answer.statusCode === 200) return answer;
      await s3.require(answer, [404]);
      return undefined;
    },

    async remove(sha256) {
      await s3.require(await s3.ask({ method: "DELETE", key: sha256 }), [200, 204, 404]);
    },
  };
}
