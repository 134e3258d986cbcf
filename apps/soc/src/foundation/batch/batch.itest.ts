import { once } from "node:events";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { signIn } from "../../../testing/harness/sample-world.ts";
import { ADMIN_PASSWORD, wholePlatform } from "../../../testing/harness/whole-platform.ts";
import { absentLogStore } from "../../../testing/servers/absent-log-store.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";

type Headers = Record<string, string>;

let platform: Awaited<ReturnType<typeof wholePlatform>>;
let admin: Headers;
let tier1: Headers;

beforeAll(async () => {
  const { url } = await freshDatabase();
  const limits = { generalLimitPerMinute: 40, addressLimitPerMinute: 60 };
  platform = await wholePlatform("real", url, undefined, undefined, limits);
  admin = await signIn(platform.app);
  const user = { username: "tia", password: ADMIN_PASSWORD, role: "tier1" };
  await platform.app.inject({ method: "POST", url: "/api/v1/users", headers: admin, payload: user });
  const signedIn = await platform.app.inject({ method: "POST", url: "/api/v1/auth/token", payload: user });
  tier1 = { authorization: `Bearer ${signedIn.json().access_token}` };
});
afterAll(() => platform.close());

let address = 0;
/** Each batch comes from a new address unless the test names one. */
async function batch(headers: Headers, requests: (string | object)[], from?: string) {
  address += 1;
  const remoteAddress = from ?? `10.1.0.${address}`;
  const payload = { requests: requests.map((each) => (typeof each === "string" ? { path: `/api/v1${each}` } : each)) };
  return platform.app.inject({ method: "POST", url: "/api/v1/batch", headers, payload, remoteAddress });
}
const statuses = (answer: Awaited<ReturnType<typeof batch>>): number[] =>
  answer.json().responses.map(({ status }: { status: number }) => status);

it("answers each read as its route does with the rights of the caller, and counts the batch as one request", async () => {
  const before = await platform.app.inject({ url: "/api/v1/users/me", headers: tier1 });
  const answer = await batch(tier1, [
    "/users/me",
    "/alerts?limit=1",
    "/users",
    "/audit",
    "/alerts/nothing",
    "/nowhere",
  ]);
  expect(answer.statusCode).toBe(200);
  expect(statuses(answer)).toEqual([200, 200, 403, 403, 404, 404]);
  const [me, alerts, users] = answer.json().responses;
  expect(me.body).toMatchObject({ username: "tia", role: "tier1" });
  expect(alerts.body).toMatchObject({ items: [], total: 0, limit: 1 });
  expect(users.body).toEqual({ detail: "role 'tier1' is not 'admin'" });
  const left = Number(before.headers["ratelimit-remaining"]);
  expect(Number(answer.headers["ratelimit-remaining"])).toBe(left - 1);
  expect(me.body.limits.general.remaining).toBe(left - 1);
});

it("refuses streams, downloads, other methods and nested batches per item, and answers the other items", async () => {
  const answer = await batch(admin, [
    "/events",
    "/audit/export",
    "/siem/logs/export",
    "/iocs/export",
    "/reports/nothing/download",
    "/batch",
    { method: "POST", path: "/api/v1/agents/investigate" },
    { method: "DELETE", path: "/api/v1/users/tia" },
    { path: "/health" },
    { path: "//evil.example/api/v1/users" },
    "/cases",
  ]);
  expect(statuses(answer)).toEqual([400, 400, 400, 400, 400, 404, 400, 400, 400, 400, 200]);
  const audited = await platform.app.inject({ url: "/api/v1/audit?subject_type=export", headers: admin });
  expect(audited.json().items).toEqual([]);
});

it("accepts no credentials from the body, and requires the batch itself to be authenticated", async () => {
  const smuggled = {
    path: "/api/v1/users",
    headers: admin,
    cookies: { a: "b" },
    authority: "x",
    remoteAddress: "1.1.1.1",
  };
  expect(statuses(await batch(tier1, [smuggled]))).toEqual([403]);
  expect((await batch({}, ["/alerts"])).statusCode).toBe(401);
  expect((await batch({ "x-api-key": "soc_x" }, ["/alerts"])).statusCode).toBe(401);
  const key = { name: "batch", scopes: ["alerts:read"] };
  const made = await platform.app.inject({ method: "POST", url: "/api/v1/api-keys", headers: admin, payload: key });
  expect((await batch({ "x-api-key": made.json().key }, ["/alerts"])).statusCode).toBe(403);
});

it("does not leak the caller of a batch into other requests", async () => {
  const running = batch(
    admin,
    Array.from({ length: 20 }, () => "/alerts"),
  );
  const others = await Promise.all(
    Array.from({ length: 20 }, () => platform.app.inject({ url: "/api/v1/users", remoteAddress: "10.9.0.1" })),
  );
  expect(others.every(({ statusCode }) => statusCode === 401)).toBe(true);
  expect(statuses(await running)).toEqual(Array.from({ length: 20 }, () => 200));
});

it("counts every item towards the rate limit of the address", async () => {
  const twenty = Array.from({ length: 20 }, () => "/system/mode");
  const seen = [];
  for (let i = 0; i < 3; i += 1) seen.push(...statuses(await batch(admin, twenty, "10.8.0.1")));
  expect(seen.filter((status) => status === 200)).toHaveLength(57);
  expect(seen.filter((status) => status === 429)).toHaveLength(3);
  expect((await batch(admin, ["/system/mode"], "10.8.0.1")).statusCode).toBe(429);
});

it("counts items at the address of each client behind a trusted proxy", async () => {
  const { url } = await freshDatabase();
  const proxied = await wholePlatform("real", url, undefined, undefined, {
    addressLimitPerMinute: 60,
    trustedProxies: ["10.7.0.1"],
  });
  try {
    const headers = await signIn(proxied.app);
    const twenty = Array.from({ length: 20 }, () => ({ path: "/api/v1/system/mode" }));
    const send = async (client: string) => {
      const answer = await proxied.app.inject({
        ...{ method: "POST", url: "/api/v1/batch", payload: { requests: twenty }, remoteAddress: "10.7.0.1" },
        headers: { ...headers, "x-forwarded-for": client },
      });
      return answer.statusCode === 200 ? statuses(answer) : [answer.statusCode];
    };
    const first = [...(await send("203.0.113.1")), ...(await send("203.0.113.1")), ...(await send("203.0.113.1"))];
    expect(first.filter((status) => status === 200)).toHaveLength(57);
    expect(first.filter((status) => status === 429)).toHaveLength(3);
    expect(await send("203.0.113.2")).toEqual(twenty.map(() => 200));
  } finally {
    await proxied.close();
  }
});

it.each([
  ["no requests", []],
  ["21 requests", Array.from({ length: 21 }, () => "/alerts")],
  ["a path of 5,000 characters", [`/alerts?q=${"x".repeat(5000)}`]],
])("refuses %s", async (_, requests) => {
  expect((await batch(admin, requests)).statusCode).toBe(400);
});

it("compresses a large response", async () => {
  const payload = { requests: [{ path: "/api/v1/openapi.json" }] };
  const headers = { ...admin, "accept-encoding": "gzip" };
  const asked = { method: "POST", url: "/api/v1/batch", headers, payload, remoteAddress: "10.7.0.1" } as const;
  expect((await platform.app.inject(asked)).headers["content-encoding"]).toBe("gzip");
});

it("stops when the caller's own rate limit is reached", async () => {
  const outcomes: number[] = [];
  for (let i = 0; i < 45; i += 1) outcomes.push((await batch(tier1, ["/system/mode"])).statusCode);
  expect(outcomes).toContain(429);
  expect(outcomes.filter((status) => status === 200).length).toBeLessThan(40);
});

it("stops the searches of its items when the client disconnects, and starts no more", async () => {
  const { url } = await freshDatabase();
  const signals: AbortSignal[] = [];
  const summarise = async (_asked: unknown, signal?: AbortSignal): Promise<never> => {
    if (!signal) throw new Error("a search without a signal cannot be cancelled");
    signals.push(signal);
    await once(signal, "abort");
    throw signal.reason;
  };
  const served = await wholePlatform("real", url, undefined, { ...absentLogStore(), summarise });
  try {
    const headers = { ...(await signIn(served.app)), "content-type": "application/json" };
    await served.app.listen({ host: "127.0.0.1", port: 0 });
    const { port } = served.app.server.address() as AddressInfo;
    const leaving = request({ port, host: "127.0.0.1", method: "POST", path: "/api/v1/batch", headers });
    leaving.on("error", () => undefined);
    leaving.end(
      JSON.stringify({ requests: Array.from({ length: 20 }, () => ({ path: "/api/v1/siem/logs/histogram" })) }),
    );
    // A caller may run two searches concurrently.
    await expect.poll(() => signals.length).toBe(2);
    leaving.destroy();
    await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  } finally {
    await served.close();
  }
});
