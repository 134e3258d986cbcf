import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { makeMp3 } from "@player/service/testing/audio-bytes";
import { expect, it } from "vitest";
import { count } from "../counts.ts";
import { residentMiB } from "../services.ts";
import { makeCard } from "./card.ts";
import { hearFile, startPlayerForTest, untilScanned } from "./client.ts";

const MIB = 1024 * 1024;
const PIECE_BYTES = 8 * MIB;
const UPLOAD_MIB = count({ ci: 32, full: 500 });
const MAX_GROWTH_MIB = 30;
// As the device starts it.
const DEVICE_HEAP = "--max-old-space-size=96 --max-semi-space-size=2";

it(`accepts a file of ${UPLOAD_MIB} MiB in under 30 MiB of memory while a recitation plays`, async () => {
  const card = await makeCard({ reciters: { Husary: [1] }, seconds: 900 });
  const { service, client } = await startPlayerForTest(card, { NODE_OPTIONS: DEVICE_HEAP, PLAYER_LIMITS: "off" });
  await untilScanned(client);
  await hearFile(client, "Husary/001.mp3");

  const bearer = { authorization: `Bearer ${client.token}` };
  async function send(id: string, offset: number, bytes: Buffer) {
    const url = `${service.url}/api/uploads/${id}?offset=${offset}`;
    const headers = { ...bearer, "content-length": bytes.length };
    const sending = request(url, { method: "POST", headers, rejectUnauthorized: false });
    sending.end(bytes);
    const [response] = await once(sending, "response");
    return { status: response.statusCode, body: JSON.parse(await text(response)) };
  }
  async function upload(surah: number, sizeMib: number, onPiece: () => Promise<void>) {
    const wanted = { kind: "recitation", reciter: "Husary", surah, bytes: sizeMib * MIB, fingerprint: "f" };
    const created = await client.post("/api/uploads", wanted);
    expect(created.status).toBe(200);
    const sum = createHash("sha256");
    for (let offset = 0; ; offset += PIECE_BYTES) {
      // Each piece has another beginning, so that a piece in a wrong place changes the sum.
      const bytes = Buffer.from(piece.subarray(0, Math.min(PIECE_BYTES, sizeMib * MIB - offset)));
      bytes.writeUInt32BE(offset / MIB, 100);
      sum.update(bytes);
      const { status, body } = await send(created.body.id, offset, bytes);
      expect(status).toBe(200);
      await onPiece();
      if (body.complete) return sum.digest("hex");
    }
  }

  const piece = makeMp3(PIECE_BYTES);
  // Opens what the first upload needs for good.
  await upload(113, 8, async () => undefined);
  const beforeMiB = await residentMiB(service);
  const startedAt = (await client.get("/api/playback/status")).body.position;
  let mostMiB = 0;
  const states = new Set<string>();
  const sum = await upload(2, UPLOAD_MIB, async () => {
    mostMiB = Math.max(mostMiB, await residentMiB(service));
    states.add((await client.get("/api/playback/status")).body.state);
  });
  const { position, state, underrun_count } = (await client.get("/api/playback/status")).body;
  console.info(
    `upload of ${UPLOAD_MIB} MiB: resident ${beforeMiB.toFixed(1)} MiB before, at most ${mostMiB.toFixed(1)}; ` +
      `played on for ${((position - startedAt) / 1000).toFixed(1)} s, ${underrun_count} underruns`,
  );
  expect(mostMiB - beforeMiB).toBeLessThan(MAX_GROWTH_MIB);
  expect([...states, state]).toEqual(["playing", "playing"]);
  expect(position).toBeGreaterThan(startedAt);
  const kept = createHash("sha256");
  for await (const chunk of createReadStream(join(card, "Husary", "002.mp3"))) kept.update(chunk);
  expect(kept.digest("hex")).toBe(sum);
});
