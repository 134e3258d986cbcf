import { mkdir, mkdtemp, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { makeMp3 } from "../../testing/audio-bytes.ts";
import { createTestPlayer, TOKEN } from "../../testing/test-player.ts";

const HEADERS = { authorization: `Bearer ${TOKEN}` };

/** The whole service with a card. */
async function start() {
  const card = await mkdtemp(join(tmpdir(), "follow-"));
  for (const path of ["Husary/036.mp3", "Husary/037.mp3", "Adhan/makkah.mp3"]) {
    await mkdir(join(card, path, ".."), { recursive: true });
    await writeFile(join(card, path), makeMp3(5000));
  }
  const player = await createTestPlayer({ cardFolder: card });
  await player.start();
  onTestFinished(() => player.close());
  const { app, clock } = player;
  const get = async (url: string) => (await app.inject({ url: `/api${url}`, headers: HEADERS })).json();
  const post = async (url: string, payload: object) => {
    const answer = await app.inject({ method: "POST", url: `/api${url}`, headers: HEADERS, payload });
    return { status: answer.statusCode, code: answer.headers["problem-code"], body: answer.json() };
  };
  const isFound = async (reciter: string, surah: number) =>
    (await get(`/library/surahs?reciter=${encodeURIComponent(reciter)}`)).available?.[surah - 1] === true;
  /** Advances the clock, and lets the disk work. */
  async function until(isSo: () => Promise<boolean>): Promise<void> {
    for (let polls = 0; !(await isSo()); polls += 1) {
      if (polls > 500) throw new Error("did not become so");
      await clock.advance(2000);
      await wait(2);
    }
  }
  await until(() => isFound("Husary", 36));
  return { ...player, card, get, post, until, isFound };
}

it("lets the favorite, the saved place, the adhan and the card follow a renamed file, and names the schedule", async () => {
  const { get, post, until, isFound, engine } = await start();
  await post("/favorites", { type: "surah", reciter: "Husary", surah: 36 });
  await post("/prayer/config", { adhan: { path: "Adhan/makkah.mp3" } });
  await post("/rfid/cards", { uid: "04112233", name: "Night", binding: { type: "file", path: "Husary/036.mp3" } });
  await post("/schedules", {
    name: "Dawn",
    hour: 5,
    minute: 0,
    days: 127,
    target: { type: "surah", reciter: "Husary", surah: 36 },
  });
  await post("/playback/play", { path: "Husary/036.mp3" });
  engine.emit("flowing");
  engine.at({ positionMs: 60_000, durationMs: 90_000 });
  const rename = { path: "Husary/036.mp3", to: "Mahmoud Al-Husary/036.mp3" };
  expect(await post("/library/files/rename", rename)).toMatchObject({ status: 400, code: "file_playing" });
  await post("/playback/stop", {});

  expect(await post("/library/files/rename", rename)).toMatchObject({
    status: 200,
    body: { path: "Mahmoud Al-Husary/036.mp3", not_followed: [{ type: "schedule", name: "Dawn" }] },
  });
  await until(() => isFound("Mahmoud Al-Husary", 36));
  expect((await get("/favorites")).favorites).toMatchObject([
    { reciter: "Mahmoud Al-Husary", surah: 36, available: true },
  ]);
  expect((await get("/rfid/cards")).cards).toMatchObject([{ binding: { path: "Mahmoud Al-Husary/036.mp3" } }]);
  expect((await post("/playback/resume-saved", {})).body).toMatchObject({
    track: "Mahmoud Al-Husary/036.mp3",
    reciter: "Mahmoud Al-Husary",
  });
  expect(engine.loads.at(-1)).toMatchObject({ positionMs: 58_000 });

  await post("/library/files/rename", { path: "Adhan/makkah.mp3", to: "Adhan/Makkah 2.mp3" });
  expect((await get("/prayer")).config.adhan.path).toBe("Adhan/Makkah 2.mp3");
  expect((await get("/prayer")).extra.adhan_file_ok).toBe(true);
});

it("reports an adhan that was deleted from the card", async () => {
  const { app, get, post } = await start();
  await post("/prayer/config", { adhan: { path: "Adhan/makkah.mp3" } });
  expect((await get("/prayer")).extra.adhan_file_ok).toBe(true);
  const removed = await app.inject({
    method: "DELETE",
    url: "/api/library/files?path=Adhan/makkah.mp3",
    headers: HEADERS,
  });
  expect(removed.statusCode).toBe(200);
  expect((await get("/prayer")).extra.adhan_file_ok).toBe(false);
});

it("takes a whole upload by the service's own routes, and needs the token for each of them", async () => {
  const { app, card, post } = await start();
  const bytes = makeMp3(5000, 4);
  const wanted = { kind: "recitation", reciter: "Husary", surah: 1, bytes: bytes.length, fingerprint: "f" };
  const { id } = (await post("/uploads", wanted)).body;
  for (const [method, url] of [
    ["GET", "/api/uploads"],
    ["POST", "/api/uploads"],
    ["GET", `/api/uploads/${id}`],
    ["POST", `/api/uploads/${id}?offset=0`],
    ["DELETE", `/api/uploads/${id}`],
    ["POST", "/api/library/files/rename"],
    ["DELETE", "/api/library/files?path=Husary"],
  ] as const) {
    expect((await app.inject({ method, url })).statusCode).toBe(401);
  }
  const sent = await app.inject({
    method: "POST",
    url: `/api/uploads/${id}?offset=0`,
    headers: { ...HEADERS, "content-type": "application/octet-stream" },
    payload: bytes,
  });
  expect(sent.json()).toMatchObject({ success: true, complete: true, path: "Husary/001.mp3" });
  expect(await readdir(join(card, "Husary"))).toContain("001.mp3");
});
