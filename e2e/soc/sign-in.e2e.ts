import { expect, it } from "vitest";
import { ADMIN_PASSWORD } from "../services.ts";
import { askConcurrently, countStatuses, startTwoForTest } from "./client.ts";
import { startDatabaseForTest } from "./database.ts";

const GUESSES = 200;
const LIMIT = 10;
const QUARTER_HOUR_S = 15 * 60;
const PASSWORD = "staple battery horse";

it(`checks at most ${LIMIT} of ${GUESSES} concurrent password guesses over two API processes`, async () => {
  const database = await startDatabaseForTest();
  const { first, second } = await startTwoForTest(database.url);
  for (const username of ["victim", "colleague"]) {
    const { status } = await first.client.post("/users", { username, password: PASSWORD, role: "tier1" });
    expect(status).toBe(201);
  }

  const guesses = await askConcurrently([first.client, second.client], GUESSES, ({ signIn }, index) =>
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
