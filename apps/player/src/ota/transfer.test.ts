import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { createFakeClock } from "@kit/clock/fake";
import { describe, expect, it, onTestFinished } from "vitest";
import { TRANSFER_LIMITS, transfer } from "./transfer.ts";

async function setUp(source: Readable, sizeBytes?: number) {
  const folder = await mkdtemp(join(tmpdir(), "transfer-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "bundle");
  const clock = createFakeClock();
  const received: number[] = [];
  const limits = { ...TRANSFER_LIMITS, maxBytes: 1000 };
  const onReceived = (bytes: number) => received.push(bytes);
  const run = () => transfer({ field: "body", source, sizeBytes, path, limits, clock, onReceived });
  return { path, clock, received, run };
}

describe("a transfer", () => {
  it("a transfer has the limits of the API document", () => {
    expect(TRANSFER_LIMITS).toEqual({ maxBytes: 536_870_912, idleMs: 15_000, wholeMs: 900_000 });
  });

  it("writes every byte and reports the number of bytes", async () => {
    const { run, path, received } = await setUp(Readable.from([Buffer.from("one "), Buffer.from("two")]));
    await run();
    expect(await readFile(path, "utf8")).toBe("one two");
    expect(received).toEqual([4, 7]);
  });

  it("accepts exactly the maximum size", async () => {
    const { run, path } = await setUp(Readable.from([Buffer.alloc(1000)]), 1000);
    await run();
    expect(await readFile(path)).toHaveLength(1000);
  });

  it.each([
    ["too much", Readable.from([Buffer.alloc(600), Buffer.alloc(401)]), undefined],
    ["a body whose announced size is too large, without reading it", new PassThrough(), 1001],
  ])("refuses %s", async (_what, source, sizeBytes) => {
    const { run } = await setUp(source, sizeBytes);
    await expect(run()).rejects.toMatchObject({ kind: "invalid", message: "body: must be at most 1000 bytes" });
  });

  it("refuses an empty body", async () => {
    const { run } = await setUp(Readable.from([]));
    await expect(run()).rejects.toMatchObject({ kind: "invalid", message: "body: must not be empty" });
  });

  it("stops an endless sender at the limit, and leaves the connection open for the answer", async () => {
    let sent = 0;
    const endless = new Readable({
      highWaterMark: 100,
      read() {
        sent += 100;
        this.push(Buffer.alloc(100));
      },
    });
    const { run, received } = await setUp(endless);
    await expect(run()).rejects.toThrow("body: must be at most 1000 bytes");
    expect(received.at(-1)).toBeLessThanOrEqual(1000);
    expect(sent).toBeLessThanOrEqual(1300);
    expect(endless.destroyed).toBe(false);
    endless.destroy();
  });

  it("gives up on a sender that is silent for 15 s, and not earlier", async () => {
    const source = new PassThrough();
    const { run, clock, received } = await setUp(source);
    let refusal: unknown = "none";
    const running = run().catch((error: unknown) => {
      refusal = error;
    });
    source.write(Buffer.alloc(1));
    await expect.poll(() => received.length).toBe(1);
    await clock.advance(14_000);
    source.write(Buffer.alloc(1));
    await expect.poll(() => received.length).toBe(2);
    await clock.advance(14_000);
    expect(refusal).toBe("none");
    await clock.advance(2000);
    await running;
    expect(refusal).toMatchObject({ kind: "invalid", message: "body: nothing came for 15 s" });
    source.destroy();
  });

  it("gives up on a slow sender after 15 min", async () => {
    const source = new PassThrough();
    const { run, clock, received } = await setUp(source);
    let refusal: unknown = "none";
    const running = run().catch((error: unknown) => {
      refusal = error;
    });
    for (let second = 0; second < 900 && refusal === "none"; second += 10) {
      source.write(Buffer.alloc(1));
      await expect.poll(() => received.length, { interval: 1 }).toBe(second / 10 + 1);
      await clock.advance(10_000);
    }
    await running;
    expect(refusal).toMatchObject({ kind: "invalid", message: "body: was not complete within 15 min" });
    expect(clock.monotonicMs()).toBe(900_000);
    source.destroy();
  });

  it("reports that the connection broke", async () => {
    const source = new PassThrough();
    const { run, received } = await setUp(source);
    const running = run();
    source.write(Buffer.alloc(1));
    await expect.poll(() => received.length).toBe(1);
    source.destroy(new Error("ECONNRESET"));
    await expect(running).rejects.toMatchObject({
      kind: "invalid",
      message: "body: the connection broke before its end",
    });
  });
});
