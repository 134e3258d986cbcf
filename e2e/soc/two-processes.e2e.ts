import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ADMIN_PASSWORD } from "../services.ts";
import {
  addEvidence,
  askConcurrently,
  countStatuses,
  openCase,
  type StartedSoc,
  startSoc,
  verifyLedger,
  warmUp,
} from "./client.ts";
import { startDatabase, type TestDatabase } from "./database.ts";

const APPENDS = 50;
const REPORTS = 50;
const GUESSES = 200;
const LIMIT = 10;
const QUARTER_HOUR_S = 15 * 60;
const PASSWORD = "staple battery horse";

describe("two API processes of one platform", () => {
  let database: TestDatabase;
  let first: StartedSoc;
  let second: StartedSoc;
  const clients = () => [first.client, second.client];

  beforeAll(async () => {
    database = await startDatabase();
    first = await startSoc(database.url);
    second = await startSoc(database.url, { SOC_DATA_DIR: first.service.dataFolder });
    await warmUp(clients());
  }, 180_000);
  afterAll(async () => {
    await Promise.all([first, second].map(({ service }) => service.stop()));
    await database.remove();
  });

  it(`create one alert when ${REPORTS} sensors report the same finding concurrently`, async () => {
    const answers = await askConcurrently(clients(), REPORTS, ({ post }, index) =>
      post("/alerts", {
        title: "Beacon to a known host",
        source: "ids",
        // The order of the IOCs is not part of the fingerprint.
        iocs: index % 2 === 0 ? ["203.0.113.9", "evil.example"] : ["evil.example", "203.0.113.9"],
      }),
    );

    expect(countStatuses(answers)).toEqual({ 201: 1, 200: REPORTS - 1 });
    const [id, ...others] = new Set(answers.map(({ body }) => body.id));
    expect(others).toEqual([]);
    const counted = answers.map(({ body }) => body.occurrence_count).toSorted((a, b) => a - b);
    expect(counted).toEqual(Array.from({ length: REPORTS }, (_, index) => index + 1));

    for (const client of clients()) {
      const { body } = await client.get("/alerts?source=ids");
      expect(body).toMatchObject({ total: 1, items: [{ id, occurrence_count: REPORTS, status: "new" }] });
      const audit = (await client.get(`/audit?subject_id=${id}&limit=200`)).body;
      expect(audit.total).toBe(REPORTS);
      const actions: string[] = audit.items.map(({ action }: { action: string }) => action);
      expect(actions.filter((action) => action === "alert.created")).toHaveLength(1);
      expect(actions.filter((action) => action === "alert.repeated")).toHaveLength(REPORTS - 1);
    }
  });

  it(`link ${APPENDS} entries that are appended concurrently to one case`, async () => {
    const caseId = await openCase(first.client);
    const answers = await askConcurrently(clients(), APPENDS, (client, index) =>
      addEvidence(client, caseId, `disk ${index}`),
    );

    expect(countStatuses(answers)).toEqual({ 201: APPENDS });
    const links = answers.map(({ body }) => body.ledger).toSorted((a, b) => a.sequence - b.sequence);
    expect(links.map(({ sequence }) => sequence)).toEqual(Array.from({ length: APPENDS }, (_, index) => index + 1));
    expect(links.map(({ previous_hash }) => previous_hash)).toEqual([
      "0".repeat(64),
      ...links.slice(0, -1).map(({ entry_hash }) => entry_hash),
    ]);
    expect(await verifyLedger(second.client, caseId)).toMatch(`GENUINE: case ${caseId} has ${APPENDS} entries`);
  });

  it(`check at most ${LIMIT} of ${GUESSES} concurrent password guesses`, async () => {
    for (const username of ["victim", "colleague"]) {
      const { status } = await first.client.post("/users", { username, password: PASSWORD, role: "tier1" });
      expect(status).toBe(201);
    }

    const guesses = await askConcurrently(clients(), GUESSES, ({ signIn }, index) =>
      signIn("victim", `guess number ${index}`),
    );
    const { 401: looked = 0, 429: refused = 0 } = countStatuses(guesses);
    expect(looked).toBeLessThanOrEqual(LIMIT);
    expect(looked + refused).toBe(GUESSES);
    for (const { status, headers } of guesses) {
      const waitSeconds = Number(headers.get("retry-after"));
      if (status === 429) expect(waitSeconds).toBeGreaterThan(0);
      expect(waitSeconds).toBeLessThanOrEqual(QUARTER_HOUR_S);
    }

    for (const { client } of [first, second]) {
      expect((await client.signIn("victim", PASSWORD)).status).toBe(429);
      expect((await client.signIn("colleague", PASSWORD)).status).toBe(200);
      expect((await client.signIn("admin", ADMIN_PASSWORD)).status).toBe(200);
    }
  });
});
