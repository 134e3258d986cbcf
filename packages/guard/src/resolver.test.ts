import { createSocket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { expect, it, onTestFinished } from "vitest";
import { createOutboundGuard } from "./fetch.ts";
import { createLookup, createResolver } from "./resolver.ts";

const clock = createClock();
const never = new AbortController().signal;
const NO_SUCH_NAME = 3;

type Answer = "silence" | typeof NO_SUCH_NAME | readonly [number, number, number, number];

/** A name server on this machine: A records only, the same answer for every name. */
async function startNameServer(answer: Answer) {
  const socket = createSocket("udp4");
  const queries: Buffer[] = [];
  socket.on("message", (query, { port, address }) => {
    queries.push(query);
    if (answer !== "silence") socket.send(buildReply(query, answer), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  onTestFinished(() => void socket.close());
  return { server: `127.0.0.1:${socket.address().port}`, queries };
}

/** RFC 1035, section 4: the header and the question of the query, and one answer that points at the question's name. */
function buildReply(query: Buffer, answer: Exclude<Answer, "silence">): Buffer {
  const questionEnd = query.indexOf(0, 12) + 5;
  const isForA = query.readUInt16BE(questionEnd - 4) === 1;
  const hasAddress = isForA && typeof answer !== "number";
  const head = Buffer.from(query.subarray(0, questionEnd));
  head.writeUInt16BE(0x8180 | (typeof answer === "number" ? answer : 0), 2);
  head.writeUInt16BE(hasAddress ? 1 : 0, 6);
  head.writeUInt16BE(0, 8);
  head.writeUInt16BE(0, 10);
  const record = hasAddress ? [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...answer] : [];
  return Buffer.concat([head, Buffer.from(record)]);
}

async function writeHosts(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "hosts-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "hosts"), text);
  return join(folder, "hosts");
}

it("keeps other lookups and files fast while twenty names wait for a server that never answers", async () => {
  const { server, queries } = await startNameServer("silence");
  const asked: string[] = [];
  const resolve = createResolver({
    servers: [server],
    askSystem: async (name) => {
      asked.push(name);
      return [];
    },
  });
  const guard = createOutboundGuard({ resolve });
  const sending = Array.from({ length: 20 }, (_, number) =>
    guard.open(`https://hook${number}.example.com/`, {
      field: "url",
      policy: { schemes: ["https:"], allowPrivate: false },
      connectTimeoutMs: 1500,
      idleTimeoutMs: 1500,
    }),
  );
  const settled = Promise.allSettled(sending);
  await expect.poll(() => queries.length).toBeGreaterThanOrEqual(20);

  const startMs = clock.monotonicMs();
  const others = Promise.all([lookup("localhost"), readFile(new URL(import.meta.url))]);
  expect(await Promise.race([others.then(() => "others"), settled.then(() => "names")])).toBe("others");

  const outcomes = await settled;
  expect(outcomes.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => "rejected"));
  expect(clock.monotonicMs() - startMs).toBeLessThan(15_000);
  expect(asked).toEqual([]);
});

it("reads the hosts file before asking a name server", async () => {
  const { server, queries } = await startNameServer([93, 184, 215, 14]);
  const hostsFile = await writeHosts("# own\n192.0.2.7\tother.example Chat.Example # chat\n2001:db8::7 chat.example\n");
  const resolve = createResolver({ servers: [server], hostsFile });

  expect(await resolve("chat.example", never)).toEqual(["192.0.2.7", "2001:db8::7"]);
  expect(queries).toEqual([]);
  expect(await resolve("chat.example.org", never)).toEqual(["93.184.215.14"]);
});

it("uses the system for names unknown to DNS, for single labels and for mDNS", async () => {
  const { server, queries } = await startNameServer(NO_SUCH_NAME);
  const resolve = createResolver({
    servers: [server],
    hostsFile: await writeHosts(""),
    askSystem: async (name) => [name === "chat.team" ? "192.0.2.1" : "192.0.2.2"],
  });

  expect(await resolve("chat.team", never)).toEqual(["192.0.2.1"]);
  const afterDns = queries.length;
  expect(afterDns).toBeGreaterThan(0);
  expect(await resolve("chat", never)).toEqual(["192.0.2.2"]);
  expect(await resolve("nas.local", never)).toEqual(["192.0.2.2"]);
  expect(queries).toHaveLength(afterDns);
});

it("resolves one name at a time with the system and skips a name that is no longer needed", async () => {
  const asked: string[] = [];
  const held = new AbortController();
  const resolve = createResolver({
    hostsFile: await writeHosts(""),
    askSystem: async (name) => {
      asked.push(name);
      if (name === "slow") await once(held.signal, "abort");
      return ["192.0.2.1"];
    },
  });
  const impatient = new AbortController();

  const slow = resolve("slow", never);
  await expect.poll(() => asked, { timeout: 10_000 }).toEqual(["slow"]);
  const left = resolve("left", impatient.signal);
  const last = resolve("last", never);
  impatient.abort(new Error("too late"));
  held.abort();

  await expect(left).rejects.toThrow("too late");
  expect(await Promise.all([slow, last])).toEqual([["192.0.2.1"], ["192.0.2.1"]]);
  expect(asked).toEqual(["slow", "last"]);
});

it("stops a query as soon as its answer is no longer needed", async () => {
  const { server, queries } = await startNameServer("silence");
  const resolve = createResolver({ servers: [server] });
  const leaving = new AbortController();

  const answer = resolve("hook.example.com", leaving.signal);
  await expect.poll(() => queries.length).toBeGreaterThan(0);
  leaving.abort();

  await expect(answer).rejects.toMatchObject({ code: "ECANCELLED" });
});

it("connects a socket by name to the resolved address", async () => {
  const listener = createServer((socket) => socket.end("hello"));
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  onTestFinished(() => void listener.close());
  const address = listener.address();
  const port = typeof address === "object" && address ? address.port : 0;

  const resolve = createResolver({ hostsFile: await writeHosts("127.0.0.1 mail.example\n") });
  const socket = connect({ host: "mail.example", port, lookup: createLookup(resolve, never) });
  expect(String((await once(socket, "data"))[0])).toBe("hello");
});
