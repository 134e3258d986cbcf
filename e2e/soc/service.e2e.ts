import { createClock } from "@kit/clock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { count, isFull, select } from "../counts.ts";
import { askAtOnce } from "../crowd.ts";
import { besiege, SMALL_HEAP } from "../hostile.ts";
import { ADMIN_PASSWORD, residentMiB, type StartedService, startService } from "../services.ts";
import { secondsUntilClosed } from "../slow-client.ts";

const CROWD = count({ ci: 2001, full: 10_001 });
const REQUESTS = count({ ci: 3000, full: 50_000 });
/** From this thousand on, the memory stays the same. */
const WARM = count({ ci: 2, full: 10 });

const clock = createClock();

describe("SOC in dummy mode with nothing else installed", () => {
  let soc: StartedService;
  beforeAll(async () => {
    soc = await startService("soc");
  });
  afterAll(async () => {
    await soc.stop();
  });

  it("answers health checks, signs in and reports its runtime truth", async () => {
    expect(await (await fetch(`${soc.url}/health`)).json()).toMatchObject({ status: "ok", version: "2.0.0" });
    const signedIn = await fetch(`${soc.url}/api/v1/auth/token`, {
      method: "POST",
      body: JSON.stringify({ username: "admin", password: ADMIN_PASSWORD }),
    });
    const { access_token } = (await signedIn.json()) as { access_token: string };
    const headers = { authorization: `Bearer ${access_token}` };
    const truth = await (await fetch(`${soc.url}/api/v1/system/mode`, { headers })).json();
    expect(truth).toMatchObject({ mode: "dummy", is_database_available: false, read_data_source: "showcase" });
  });

  it("closes a connection with slow headers within 5 s", async () => {
    const waits = await Promise.all([
      secondsUntilClosed(soc, "sends nothing"),
      secondsUntilClosed(soc, "sends one header a second"),
    ]);
    for (const seconds of waits) expect(seconds).toBeLessThan(5);
  });

  // In every build, the tests of the HTTP frame prove the same with a shorter limit.
  it.runIf(isFull)("closes a connection with a slow body within 35 s", async () => {
    const seconds = await secondsUntilClosed(soc, "never finishes its body");
    expect(seconds).toBeGreaterThan(25);
    expect(seconds).toBeLessThan(35);
  });

  it("never prints the administrator's password", () => {
    expect(soc.output()).not.toContain(ADMIN_PASSWORD);
  });

  it("ends within 10 s of SIGTERM", async () => {
    const start = clock.monotonicMs();
    expect(await soc.stop()).toBe(0);
    expect(clock.monotonicMs() - start).toBeLessThan(10_000);
  });
});

it(`accepts exactly 20 of ${CROWD} concurrent requests with a limit of 20`, async () => {
  const soc = await startService("soc", { SOC_LIMIT_ADDRESS_PER_MINUTE: "20" });
  const counts = await askAtOnce(soc, "/api/v1/alerts", CROWD);
  await soc.stop();
  expect(Object.fromEntries(counts)).toEqual({ 401: 20, 429: CROWD - 20 });
});

const REFUSALS: readonly [Record<string, string>, string][] = [
  [{ SOC_DATABASE_URL: "mysql://root:hunter2@db" }, "SOC_DATABASE_URL: must be a text of the form"],
  [{ SOC_PORT: "eight" }, "SOC_PORT: must be an integer from 1 to 65535"],
  [{ SOC_MODE: "demo" }, "SOC_MODE: must be one of dummy, dry_run, real"],
];

it.each(select({ ci: REFUSALS.slice(0, 1), full: REFUSALS }))(
  "refuses to start with %j and names the variable",
  async (env, message) => {
    const refusal = await startService("soc", env).catch((error: unknown) => String(error));
    expect(refusal).toContain(`exit code 1):\n${message}`);
    expect(refusal).not.toContain("hunter2");
  },
);

it(`survives ${REQUESTS} malformed requests without a 5xx, a crash or growing memory`, async () => {
  const soc = await startService("soc", { ...SMALL_HEAP, SOC_LIMIT_ADDRESS_PER_MINUTE: "10000000" });
  const siege = await besiege(
    soc,
    ["/", "/health", "/api/v1/auth/token", "/api/v1/alerts", "/api/v1/system/mode"],
    REQUESTS,
  );
  console.log(
    `soc: ${[...siege.statuses].join(" ")}, ${siege.silent} silent, MiB ${siege.residentMiB.map(Math.round).join(" ")}`,
  );
  expect([...siege.statuses].filter((status) => ![200, 304, 400, 401, 404, 429].includes(status))).toEqual([]);
  expect((await fetch(`${soc.url}/health`)).status).toBe(200);
  expect(await residentMiB(soc)).toBeLessThan((siege.residentMiB[WARM - 1] ?? 0) + 16);
  await soc.stop();
});
