import { expect, it } from "vitest";
import { computeS3Signature, S3_KEY } from "../../../testing/servers/s3-server.ts";
import { EMPTY_PAYLOAD, signRequest } from "./sigv4.ts";

// The examples of AWS, "Signature Calculations for the Authorization Header: Transferring Payload in a Single Chunk".
const AT = new Date("2013-05-24T00:00:00Z");
const CREDENTIALS = { ...S3_KEY, region: "us-east-1" };
const HOST = { host: "examplebucket.s3.amazonaws.com" };
const GET_SIGNATURE = "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41";
const LIFECYCLE_SIGNATURE = "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543";
const LIST_SIGNATURE = "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7";
const PUT_SIGNATURE = "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd";

const GET = { method: "GET", path: "/test.txt", headers: { ...HOST, range: "bytes=0-9" }, payload: EMPTY_PAYLOAD };
const GET_BUCKET = { method: "GET", path: "/", headers: HOST, payload: EMPTY_PAYLOAD };
const BUCKET_NAMES = "host;x-amz-content-sha256;x-amz-date";
const PUT = {
  method: "PUT",
  path: "/test%24file.text",
  headers: { ...HOST, date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY" },
  payload: "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
};

it.each([
  ["GET Object", GET, "host;range;x-amz-content-sha256;x-amz-date", GET_SIGNATURE],
  ["GET Bucket Lifecycle", { ...GET_BUCKET, query: { lifecycle: "" } }, BUCKET_NAMES, LIFECYCLE_SIGNATURE],
  ["GET Bucket", { ...GET_BUCKET, query: { prefix: "J", "max-keys": "2" } }, BUCKET_NAMES, LIST_SIGNATURE],
  ["PUT Object", PUT, "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class", PUT_SIGNATURE],
])("signs Amazon's example %s", (_name, request, names, signature) => {
  expect(signRequest(request, CREDENTIALS, AT).authorization).toBe(
    `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=${names}, Signature=${signature}`,
  );
});

// The stub of other tests computes signatures itself, so it must agree with Amazon as well.
it.each([
  ["/test.txt", "GET", { ...GET.headers }, EMPTY_PAYLOAD, GET_SIGNATURE],
  ["/test%24file.text", "PUT", { ...PUT.headers }, PUT.payload, PUT_SIGNATURE],
  ["/?lifecycle", "GET", { ...HOST }, EMPTY_PAYLOAD, LIFECYCLE_SIGNATURE],
  ["/?max-keys=2&prefix=J", "GET", { ...HOST }, EMPTY_PAYLOAD, LIST_SIGNATURE],
])("makes the stub expect Amazon's signature for %s", (target, method, headers, payload, signature) => {
  const sent = { ...headers, "x-amz-content-sha256": payload, "x-amz-date": "20130524T000000Z" };
  const names = Object.keys(sent).toSorted().join(";");
  const authorization = `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=${names},Signature=`;
  expect(computeS3Signature(method, target, { ...sent, authorization }, S3_KEY.secretAccessKey)).toBe(signature);
});
