import { connect } from "node:net";
import { createClock } from "@kit/clock";
import fc from "fast-check";

/** What came back: how often each status, and how often the connection just ended. */
export interface Tally {
  statuses: Map<number, number>;
  silent: number;
}

const METHODS = ["GET", "POST", "PATCH", "PUT", "DELETE", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "get", "", "G\0T"];
const TYPES = [
  "application/json",
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  ";",
  "\xff",
];
const PIECES = [
  "..",
  "%2e%2e",
  "%00",
  "%zz",
  "%",
  "\\",
  "//",
  "?",
  "#",
  "~",
  "*",
  ":id",
  "{id}",
  "é",
  " ",
  "a".repeat(3000),
];
const PARALLEL = 64;
const ANSWER_MS = 8000;

const oneOf = <T>(values: readonly T[]) => fc.constantFrom(...values);
const noise = fc.string({ unit: "binary", maxLength: 60 });

/** Requests of the given routes and of no route, each wrong in its own way. The same seed makes the same ones. */
export function makeHostileRequests(paths: readonly string[], count: number, seed: number): Buffer[] {
  const path = fc.oneof(
    { weight: 3, arbitrary: oneOf(paths) },
    fc
      .tuple(oneOf(paths), fc.array(fc.oneof(oneOf(PIECES), noise), { maxLength: 4 }))
      .map(([base, parts]) => base + parts.join("/")),
  );
  const query = fc.oneof(
    fc.constant(""),
    noise.map((text) => `?${text}`),
    fc.webQueryParameters().map((text) => `?${text}`),
  );
  const header = fc.oneof(
    fc.tuple(
      oneOf([
        "authorization",
        "content-length",
        "transfer-encoding",
        "expect",
        "connection",
        "host",
        "x",
        "cookie",
        "range",
      ]),
      noise,
    ),
    fc.tuple(
      oneOf(["authorization"]),
      oneOf(["Bearer", "Bearer ", `Bearer ${"a".repeat(9000)}`, "Basic Og==", "bearer ..", "Bearer a.b.c"]),
    ),
    fc.tuple(oneOf(["transfer-encoding"]), oneOf(["chunked", "chunked, chunked", "gzip, chunked", "identity"])),
    fc.tuple(oneOf(["content-length"]), oneOf(["-1", "0", "5", "99999999999999999999", "1e3", "0x10", "5, 5"])),
    fc.tuple(noise, noise),
  );
  const body = fc.oneof(
    noise,
    fc.json({ maxDepth: 5 }),
    fc.json().map((text) => text.slice(0, -1)),
    fc.nat({ max: 3000 }).map((depth) => "[".repeat(depth)),
    oneOf([
      '{"__proto__":{"a":1}}',
      '{"constructor":{"prototype":{}}}',
      "null",
      '"\\ud800"',
      "\xef\xbb\xbf{}",
      "1e999",
      "{}{}",
    ]),
    fc.nat({ max: 40_000 }).map((size) => `{"x":"${"y".repeat(size)}"}`),
  );
  const request = fc
    .record({
      method: oneOf(METHODS),
      path,
      query,
      type: oneOf(TYPES),
      headers: fc.array(header, { maxLength: 4 }),
      body,
      cut: fc.nat({ max: 9 }),
    })
    .chain((parts) => mutated(formatRequest(parts)));
  return fc.sample(request, { numRuns: count, seed });
}

interface Parts {
  method: string;
  path: string;
  query: string;
  type: string;
  headers: [string, string][];
  body: string;
}

function formatRequest({ method, path, query, type, headers, body }: Parts): Buffer {
  const size = Buffer.byteLength(body);
  const lines = [
    `content-type: ${type}`,
    `content-length: ${size}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ];
  return Buffer.from(
    `${method} ${path}${query} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${lines.join("\r\n")}\r\n\r\n${body}`,
  );
}

/** Two in three are sent as they are; the rest lose, double or change some of their bytes. */
function mutated(request: Buffer): fc.Arbitrary<Buffer> {
  const at = fc.nat({ max: Math.max(0, request.length - 1) });
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant(request) },
    at.map((end) => request.subarray(0, end)),
    fc
      .tuple(at, fc.nat({ max: 255 }))
      .map(([place, byte]) =>
        Buffer.concat([request.subarray(0, place), Buffer.from([byte]), request.subarray(place + 1)]),
      ),
    fc
      .tuple(at, at)
      .map(([from, to]) =>
        Buffer.concat([request.subarray(0, from), request.subarray(Math.min(from, to), to), request.subarray(from)]),
      ),
  );
}

/** Sends each request on its own connection and reads the complete answer. */
export async function sendAll(port: number, requests: readonly Buffer[]): Promise<Tally> {
  const tally: Tally = { statuses: new Map(), silent: 0 };
  const waiting = requests.values();
  const work = async (): Promise<void> => {
    for (const request of waiting) {
      const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(await exchange(port, request))?.[1]);
      if (Number.isNaN(status)) tally.silent += 1;
      else tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return tally;
}

const clock = createClock();

function exchange(port: number, request: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.end(request));
    const late = clock.deadline(ANSWER_MS);
    late.addEventListener("abort", () =>
      reject(new Error(`no end after ${ANSWER_MS} ms of: ${request.toString("latin1").slice(0, 500)}`)),
    );
    socket.setEncoding("latin1");
    socket.on("data", (text: string) => {
      if (answer.length < 100) answer += text;
    });
    // A server may cut off a client that it has refused while that client is still sending.
    socket.on("error", (error) => ("code" in error && error.code === "ECONNREFUSED" ? reject(error) : resolve(answer)));
    socket.on("close", () => resolve(answer));
  });
}
