import { readFile, stat } from "node:fs/promises";
import { get } from "node:https";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { count, select } from "../counts.ts";
import { askAtOnce } from "../crowd.ts";
import { besiege, SMALL_HEAP } from "../hostile.ts";
import { residentMiB, type StartedService, startService } from "../services.ts";
import { secondsUntilClosed } from "../slow-client.ts";

const CROWD = count({ ci: 2001, full: 10_001 });
const REQUESTS = count({ ci: 3000, full: 50_000 });
/** From this thousand on, the memory stays the same. */
const WARM = count({ ci: 2, full: 10 });

const clock = createClock();
let player: StartedService;

describe("player service over HTTPS", () => {
  beforeAll(async () => {
    player = await startService("player");
  });
  afterAll(async () => {
    await player.stop();
  });

  it("answers GET /api/system with a certificate of its own authority", async () => {
    const { cert } = JSON.parse(await readFile(join(player.dataFolder, "tls", "ca.json"), "utf8"));
    const body = await new Promise<string>((resolve, reject) => {
      get(`${player.url}/api/system`, { ca: cert }, (response) => {
        response.setEncoding("utf8").on("data", resolve);
      }).on("error", reject);
    });
    expect(JSON.parse(body)).toMatchObject({ version: "1.0.0", boot_failures: [] });
  });

  it("stores its token in a file of the owner and prints only the path", async () => {
    const path = join(player.dataFolder, "token");
    const token = (await readFile(path, "utf8")).trim();
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(player.output()).toContain(path);
    expect(player.output()).not.toContain(token);
  });

  it("closes a client with a slow handshake or slow headers within 5 s", async () => {
    const waits = await Promise.all([
      secondsUntilClosed(player, "sends nothing"),
      secondsUntilClosed(player, "sends one header a second"),
    ]);
    for (const seconds of waits) expect(seconds).toBeLessThan(5);
    expect(Math.max(...waits)).toBeGreaterThan(3);
  });

  it("ends within 10 s of SIGTERM while a client is slow", async () => {
    const dawdling = secondsUntilClosed(player, "sends one header a second");
    await clock.sleep(200);
    const start = clock.monotonicMs();
    expect(await player.stop()).toBe(0);
    expect(clock.monotonicMs() - start).toBeLessThan(10_000);
    await dawdling;
  });
});

it(`allows exactly 120 of ${CROWD} simultaneous status reads`, async () => {
  const crowded = await startService("player");
  const counts = await askAtOnce(crowded, "/api/system", CROWD);
  await crowded.stop();
  expect(Object.fromEntries(counts)).toEqual({ 200: 120, 429: CROWD - 120 });
});

describe("invalid configuration of the player", () => {
  const refusal = (env: Record<string, string>) => startService("player", env).catch((error: unknown) => String(error));

  const refusals: readonly [Record<string, string>, string][] = [
    [{ PLAYER_LIMITS: "off", PLAYER_HOST: "0.0.0.0" }, "PLAYER_LIMITS: must be on unless"],
    [{ PLAYER_PORT: "seven" }, "PLAYER_PORT: must be an integer from 1 to 65535"],
    [{ PLAYER_TLS: "maybe" }, "PLAYER_TLS: must be one of self-signed, off"],
  ];

  it.each(select({ ci: refusals.slice(0, 1), full: refusals }))(
    "stops the start and names the variable: %j",
    async (env, message) => {
      expect(await refusal(env)).toMatch(new RegExp(`exit code 1\\):\n${message}`));
    },
  );

  it("names the port that is in use", async () => {
    const taken = await startService("player", { PLAYER_TLS: "off" });
    expect(await refusal({ PLAYER_PORT: String(taken.port) })).toContain(
      `PLAYER_PORT: port ${taken.port} on 127.0.0.1 is already in use`,
    );
    await taken.stop();
  });
});

it(`survives ${REQUESTS} malformed requests: no 5xx, no crash, constant memory`, async () => {
  const besieged = await startService("player", { ...SMALL_HEAP, PLAYER_TLS: "off", PLAYER_LIMITS: "off" });
  const siege = await besiege(besieged, ["/", "/api/system", "/api/playback/play", "/api/favorites/7"], REQUESTS);
  console.log(
    `player: ${[...siege.statuses].join(" ")}, ${siege.silent} silent, MiB ${siege.residentMiB.map(Math.round).join(" ")}`,
  );
  expect([...siege.statuses].filter((status) => ![200, 304, 400, 401, 404].includes(status))).toEqual([]);
  expect((await fetch(`${besieged.url}/api/system`)).status).toBe(200);
  expect(await residentMiB(besieged)).toBeLessThan((siege.residentMiB[WARM - 1] ?? 0) + 16);
  await besieged.stop();
});
