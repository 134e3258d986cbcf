import { randomUUID } from "node:crypto";
import { createClock } from "@kit/clock";
import { expect, it, onTestFinished } from "vitest";
import { ADMIN_PASSWORD } from "../services.ts";
import { createSocClient, requestToken, type StartedSoc, startSocForTest, startTwoForTest } from "./client.ts";
import { startDatabaseForTest } from "./database.ts";

type Json = ReturnType<typeof JSON.parse>;

const clock = createClock();
const PATIENT = { timeout: 60_000, interval: 200 };
const MANY = 2000;
const ADD_BATCH_SIZE = 50;

/** Follows an event stream, and collects its text; the test ends it. */
async function follow({ service }: StartedSoc, token: string, path: string) {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${service.url}/api/v1${path}`, { headers, signal: leaving.signal });
  expect([path, answer.status]).toEqual([path, 200]);
  let text = "";
  let isEnded = false;
  const read = async () => {
    for await (const piece of answer.body ?? []) text += Buffer.from(piece).toString("utf8");
    isEnded = true;
  };
  // A service that is killed breaks the stream.
  read().catch(() => undefined);
  return { text: () => text, isEnded: () => isEnded };
}

async function ingest({ service }: StartedSoc, sender: Record<string, string>, message: string): Promise<void> {
  const answer = await fetch(`${service.url}/api/v1/siem/ingest?source=seam`, {
    method: "POST",
    headers: { ...sender, "content-type": "application/x-ndjson" },
    body: `${JSON.stringify({ message })}\n`,
  });
  expect(answer.status).toBe(202);
}

it("streams the inbox and the tail of one API process through the other, even after a kill", {
  timeout: 600_000,
}, async () => {
  const database = await startDatabaseForTest();
  const { first, second } = await startTwoForTest(database.url);
  const user = { username: "noor", password: ADMIN_PASSWORD, role: "tier3" };
  await first.client.post("/users", user);
  const token = await requestToken(createSocClient(second.service.url), user.username, user.password);
  const admin = { authorization: `Bearer ${await requestToken(createSocClient(first.service.url))}` };

  const events = await follow(second, token, "/events");
  const { body: alert } = await first.client.post("/alerts", { title: "Beacon", source: "ids", host: "ws-1" });
  await first.client.patch(`/alerts/${alert.id}`, { assignee: "noor" });
  await expect.poll(() => events.text(), PATIENT).toContain("inbox.");
  const inbox = await createSocClient(second.service.url, token).get("/inbox");
  expect(inbox.body.items).toMatchObject([{ kind: "assigned", subject_type: "alert", subject_id: alert.id }]);

  const tail = await follow(second, token, "/siem/logs/tail?source=seam");
  const before = `before-${randomUUID()}`;
  await ingest(first, admin, before);
  await expect.poll(() => tail.text(), PATIENT).toContain(before);

  await second.service.stop("SIGKILL");
  const third = await startSocForTest(database.url, { SOC_DATA_DIR: first.service.dataFolder });
  const again = await follow(
    third,
    await requestToken(createSocClient(third.service.url)),
    "/siem/logs/tail?source=seam",
  );
  const after = `after-${randomUUID()}`;
  await ingest(first, admin, after);
  await expect.poll(() => again.text(), PATIENT).toContain(after);
  expect(again.text()).not.toContain(before);
});

it("ends the streams of a user at one API process when the user loses a site at the other", {
  timeout: 600_000,
}, async () => {
  const database = await startDatabaseForTest();
  const { first, second } = await startTwoForTest(database.url);
  const { post, patch } = first.client;
  for (const name of ["Alpha", "Beta"]) await post("/sites", { name, profile: { asset_classes: ["it"] } });
  const user = { username: "noor", password: ADMIN_PASSWORD, role: "tier3" };
  expect((await post("/users", { ...user, sites: ["Alpha", "Beta"] })).status).toBe(201);
  const bound = { scopes: ["siem:ingest"], sites: ["Beta"] };
  const sender = { "x-api-key": (await post("/api-keys", { ...bound, name: "of-beta" })).body.key };
  const token = await requestToken(createSocClient(second.service.url), user.username, user.password);
  const open = () => Promise.all(["/events", "/siem/logs/tail?source=seam"].map((path) => follow(second, token, path)));
  const report = async (site: string) =>
    (await post("/alerts", { title: `Beacon ${randomUUID()}`, source: "ids", site })).body.id;

  const streams = await open();
  const [events, tail] = streams;
  const known = await report("Beta");
  await expect.poll(() => events?.text(), PATIENT).toContain(known);
  const before = `before-${randomUUID()}`;
  await ingest(first, sender, before);
  await expect.poll(() => tail?.text(), PATIENT).toContain(before);

  expect((await patch("/users/noor", { sites: ["Alpha"] })).status).toBe(200);
  await expect.poll(() => streams.map(({ isEnded }) => isEnded()), PATIENT).toEqual([true, true]);

  const again = await open();
  const after = `after-${randomUUID()}`;
  await ingest(first, sender, after);
  const [foreign, own] = [await report("Beta"), await report("Alpha")];
  await expect.poll(() => again[0]?.text(), PATIENT).toContain(own);
  // A log is sent within a few seconds.
  await clock.sleep(6000);
  for (const { text } of [...streams, ...again]) {
    expect(text()).not.toContain(foreign);
    expect(text()).not.toContain(after);
  }
  expect(again.map(({ isEnded }) => isEnded())).toEqual([false, false]);

  // Limited for the first time: the stream had no limit at all.
  expect((await patch("/users/noor", { sites: null })).status).toBe(200);
  await expect.poll(() => again.map(({ isEnded }) => isEnded()), PATIENT).toEqual([true, true]);
  const unlimited = await open();
  expect((await patch("/users/noor", { sites: ["Alpha"] })).status).toBe(200);
  await expect.poll(() => unlimited.map(({ isEnded }) => isEnded()), PATIENT).toEqual([true, true]);
});

it(`changes all of ${MANY} alerts or none when the process is killed, and can then undo`, {
  timeout: 600_000,
}, async () => {
  const database = await startDatabaseForTest();
  let { service, client } = await startSocForTest(database.url);
  const SOC_DATA_DIR = service.dataFolder;
  for (let from = 0; from < MANY; from += ADD_BATCH_SIZE) {
    const places = Array.from({ length: ADD_BATCH_SIZE }, (_, place) => from + place);
    const added = await Promise.all(
      places.map((place) => client.post("/alerts", { title: `Finding ${place}`, source: "bulk", severity: "low" })),
    );
    expect(added.map(({ status }) => status)).toEqual(places.map(() => 201));
  }
  const count = async (filter: string): Promise<number> =>
    (await client.get(`/alerts?source=bulk&${filter}&limit=1`)).body.total;
  const change = { filter: { source: ["bulk"] }, expected_total: MANY, severity: "critical", tags_add: ["seen"] };
  const outcomes = new Set<number>();
  for (const afterMs of [5, 50, 200, 400]) {
    const changing = client.post("/alerts/bulk", change).catch((): { body: Json } => ({ body: {} }));
    await clock.sleep(afterMs);
    await service.stop("SIGKILL");
    await changing;
    ({ service, client } = await startSocForTest(database.url, { SOC_DATA_DIR }));
    const [changed, tagged] = [await count("severity=critical"), await count("tag=seen")];
    expect([0, MANY]).toContain(changed);
    expect(tagged).toBe(changed);
    outcomes.add(changed);
    if (changed === MANY) break;
  }
  if (!outcomes.has(MANY)) {
    const { body } = await client.post("/alerts/bulk", change);
    expect(body).toMatchObject({ changed: MANY });
    await service.stop("SIGKILL");
    ({ service, client } = await startSocForTest(database.url, { SOC_DATA_DIR }));
    const undone = await client.post("/alerts/undo", { change_id: body.change_id });
    expect([undone.status, undone.body]).toEqual([200, { restored: MANY, refused: [], refused_total: 0 }]);
    expect([await count("severity=critical"), await count("tag=seen")]).toEqual([0, 0]);
  }
});
