import { expect, it } from "vitest";
import { askConcurrently, countStatuses, startTwoForTest, warmUp } from "./client.ts";
import { startDatabaseForTest } from "./database.ts";

const REPORTS = 50;

it(`keeps one alert when ${REPORTS} sensors report the same finding at once to two API processes`, async () => {
  const database = await startDatabaseForTest();
  const { first, second } = await startTwoForTest(database.url);
  const clients = [first.client, second.client];
  await warmUp(clients);
  const answers = await askConcurrently(clients, REPORTS, ({ post }, index) =>
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

  for (const client of clients) {
    const { body } = await client.get("/alerts");
    expect(body).toMatchObject({ total: 1, items: [{ id, occurrence_count: REPORTS, status: "new" }] });
    const audit = (await client.get(`/audit?subject_id=${id}&limit=200`)).body;
    expect(audit.total).toBe(REPORTS);
    const actions: string[] = audit.items.map(({ action }: { action: string }) => action);
    expect(actions.filter((action) => action === "alert.created")).toHaveLength(1);
    expect(actions.filter((action) => action === "alert.repeated")).toHaveLength(REPORTS - 1);
  }
});
