import { createClock } from "@kit/clock";
import { afterAll, beforeAll, expect, it } from "vitest";
import { isFull } from "../counts.ts";
import { ADMIN_PASSWORD, type StartedService, startService } from "../services.ts";

// The full proof runs alone on its machine; a build shares it.
const HEALTH_MS = isFull ? 500 : 5000;
const ROUTES = ["/api/v1/soar/playbooks/validate", "/api/v1/detections/rules/preview"];
const keys = (count: number, separator: string) =>
  Array.from({ length: count }, (_, at) => `key${at}: 1`).join(separator);
const BODIES: readonly [string, string][] = [
  ["13,000 [", "[".repeat(13_000)],
  ["260,000 [", "[".repeat(260_000)],
  ["6,500 -", "- ".repeat(6500)],
  ["6,500 ?", "? ".repeat(6500)],
  ["6,500 [{", "[{".repeat(6500)],
  ["tags", "!!x [".repeat(2600)],
  ["anchors", "&a [".repeat(3250)],
  ["aliases", Array.from({ length: 9000 }, (_, at) => `- &a${at} x\n- *a${at}`).join("\n")],
  ["20,000 keys", keys(20_000, "\n")],
  ["20,000 keys in a flow map", `{${keys(20_000, ",")}}`],
];
const clock = createClock();
let soc: StartedService;
let headers: Record<string, string>;

beforeAll(async () => {
  soc = await startService("soc");
  const body = JSON.stringify({ username: "admin", password: ADMIN_PASSWORD });
  const signedIn = await fetch(`${soc.url}/api/v1/auth/token`, { method: "POST", body });
  const { access_token } = (await signedIn.json()) as { access_token: string };
  headers = { authorization: `Bearer ${access_token}`, "content-type": "application/json" };
});
afterAll(async () => {
  await soc.stop();
});

/** The longest answer of /health while the work runs. */
async function measureHealth(work: () => Promise<void>): Promise<number> {
  const state = { isOver: false, worstMs: 0 };
  const watching = (async () => {
    while (!state.isOver) {
      const began = clock.monotonicMs();
      expect((await fetch(`${soc.url}/health`)).status).toBe(200);
      state.worstMs = Math.max(state.worstMs, clock.monotonicMs() - began);
      await clock.sleep(10);
    }
  })();
  await work().finally(() => {
    state.isOver = true;
  });
  await watching;
  return state.worstMs;
}

it.each(ROUTES)("refuses hostile YAML at %s, stays alive and answers health checks", async (route) => {
  const worstMs = await measureHealth(async () => {
    for (const [name, yaml] of BODIES) {
      const answer = await fetch(`${soc.url}${route}`, { method: "POST", headers, body: JSON.stringify({ yaml }) });
      expect([name, answer.status, answer.headers.get("problem-field")]).toEqual([name, 400, "yaml"]);
    }
  });
  expect(worstMs).toBeLessThan(HEALTH_MS);
});
