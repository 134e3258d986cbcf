import { expect, it } from "vitest";
import { askConcurrently, countStatuses, startTwoForTest } from "./client.ts";
import { startDatabaseForTest } from "./database.ts";

const REQUESTS = 300;
const LIMIT = 100;

it(`accepts exactly ${LIMIT} of ${REQUESTS} requests of one caller over two API processes`, async () => {
  const database = await startDatabaseForTest();
  // A request that a busy machine refuses with 503 has been counted before: the database gets the time it needs.
  const limits = { SOC_LIMIT_GENERAL_PER_MINUTE: String(LIMIT), SOC_DATABASE_ANSWER_MS: "15000" };
  // Sign-in has a separate limit, so the caller's minute starts with the first of these requests.
  const { first, second } = await startTwoForTest(database.url, limits);
  const answers = await askConcurrently([first.client, second.client], REQUESTS, ({ get }) => get("/alerts"));

  expect(countStatuses(answers)).toEqual({ 200: LIMIT, 429: REQUESTS - LIMIT });
  for (const { status, headers } of answers) {
    if (status !== 429) continue;
    const waitSeconds = Number(headers.get("retry-after"));
    expect(waitSeconds).toBeGreaterThan(0);
    expect(waitSeconds).toBeLessThanOrEqual(60);
  }
});
