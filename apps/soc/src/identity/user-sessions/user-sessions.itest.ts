import { createFakeClock } from "@kit/clock/fake";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Identity, PASSWORD, startIdentity } from "../../../testing/harness/identity.ts";
import { freshDatabase } from "../../../testing/servers/fresh-database.ts";
import { MAX_PLACES } from "../sign-in-locations/sign-in-location.ts";

const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0";
const NEWER_FIREFOX = FIREFOX.replaceAll("143", "144");
const SAFARI = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15";

type Headers = Record<string, string>;
interface ListedSession {
  id: string;
  device: string;
  device_name: string | null;
  address: string;
  is_current: boolean;
}

const clock = createFakeClock();
let identity: Identity;
let admin: Headers;

beforeAll(async () => {
  const { url } = await freshDatabase();
  identity = await startIdentity({ url, clock });
  await identity.addUser("admin");
  admin = await identity.bearer("admin");
});
afterAll(() => identity.close());

const ask = (method: "GET" | "PATCH" | "DELETE", path: string, headers: Headers, payload?: object) =>
  identity.app.inject({ method, url: `/api/v1${path}`, headers, ...(payload && { payload }) });

async function signIn(username: string, agent: string, remoteAddress = "203.0.113.7") {
  await clock.advance(1);
  const answer = await identity.app.inject({
    method: "POST",
    url: "/api/v1/auth/token",
    payload: { username, password: PASSWORD },
    headers: { "user-agent": agent },
    remoteAddress,
  });
  return {
    session: { cookie: String(answer.headers["set-cookie"]).split(";")[0] ?? "" },
    token: { authorization: `Bearer ${answer.json().access_token}` },
  };
}

const isIn = async (headers: Headers) => (await ask("GET", "/users/me", headers)).statusCode === 200;
const list = async (username: string): Promise<ListedSession[]> =>
  (await ask("GET", `/users/${username}/sessions`, admin)).json().items;
const listAudit = (name: string, action: string) =>
  identity.db
    .selectFrom("audit_log")
    .select(["actor", "details"])
    .where("subject_id", "=", name)
    .where("action", "=", action)
    .orderBy("at")
    .execute();

describe("user sessions", () => {
  it("lists the sessions of a user for an administrator with their devices, and ends single ones", async () => {
    await identity.addUser("sara", "tier1");
    const [first, second] = [await signIn("sara", FIREFOX), await signIn("sara", SAFARI, "2001:db8:1:2::3")];
    const items = await list("SARA");
    expect(items).toMatchObject([
      { device: "Safari on macOS", address: "2001:db8:1::/48", device_name: null, is_current: false },
      { device: "Firefox on Windows", address: "203.0.113.7", user_agent: FIREFOX },
    ]);
    const [newest] = items;
    const ended = await ask("DELETE", `/users/sara/sessions/${newest?.id}`, admin);
    expect(ended.json()).toEqual({ deleted: true, id: newest?.id });
    expect([await isIn(first.session), await isIn(second.session)]).toEqual([true, false]);
    expect((await ask("DELETE", `/users/sara/sessions/${newest?.id}`, admin)).statusCode).toBe(404);
    expect(await listAudit("sara", "auth.session_ended")).toMatchObject([{ actor: "admin" }]);
  });

  it("ends all sessions of a user at once with the tokens, without affecting other users", async () => {
    await identity.addUser("omar", "tier1");
    await identity.addUser("huda", "tier1");
    const [one, two, other] = [
      await signIn("omar", FIREFOX),
      await signIn("omar", SAFARI),
      await signIn("huda", FIREFOX),
    ];
    expect((await ask("DELETE", "/users/omar/sessions", admin)).json()).toEqual({ ended: 2 });
    for (const headers of [one.session, one.token, two.session, two.token]) expect(await isIn(headers)).toBe(false);
    expect(await isIn(other.session)).toBe(true);
    expect(await list("omar")).toEqual([]);
    expect(await listAudit("omar", "auth.sessions_ended")).toMatchObject([{ actor: "admin" }]);
  });

  it("shows sessions of others to administrators only, and only for existing users", async () => {
    const { session } = await signIn("huda", FIREFOX);
    for (const [method, path] of [
      ["GET", "/users/huda/sessions"],
      ["DELETE", "/users/huda/sessions"],
      ["DELETE", "/users/huda/sessions/x"],
    ] as const) {
      expect((await ask(method, path, session)).statusCode).toBe(403);
      const unknown = await ask(method, path.replace("huda", "ghost"), admin);
      expect([unknown.statusCode, unknown.json().detail]).toEqual([404, "user 'ghost' does not exist"]);
    }
  });
});

describe("the device of a session", () => {
  it("lets a user name the device of a session, and remove the name", async () => {
    await identity.addUser("noor", "tier1");
    const { session } = await signIn("noor", FIREFOX);
    const [{ id } = { id: "" }] = await list("noor");
    const name = (device_name: unknown, headers = session) =>
      ask("PATCH", `/me/sessions/${id}`, headers, { device_name });
    expect((await name("My laptop")).json().items).toMatchObject([{ id, device_name: "My laptop", is_current: true }]);
    expect(await list("noor")).toMatchObject([{ device_name: "My laptop" }]);
    expect((await name("Mine", (await signIn("huda", FIREFOX)).session)).statusCode).toBe(404);
    for (const wrong of ["", "  ", "x".repeat(101), "\u0000", 7]) {
      const refused = await name(wrong);
      expect([refused.statusCode, refused.json().detail]).toEqual([400, expect.stringMatching(/^device_name: /)]);
    }
    expect((await name(null)).json().items).toMatchObject([{ device_name: null }]);
  });
});

describe("a sign-in", () => {
  const listNew = async (name: string) =>
    (await listAudit(name, "auth.new_place")).map(({ actor, details }) => [actor, Object(details).device]);

  it("reports a sign-in from a new kind of device or network once, except the very first one", async () => {
    await identity.addUser("reem", "tier1");
    await signIn("reem", FIREFOX, "203.0.113.7");
    await signIn("reem", NEWER_FIREFOX, "203.0.113.200");
    expect(await listNew("reem")).toEqual([]);
    await signIn("reem", SAFARI, "203.0.113.7");
    await signIn("reem", FIREFOX, "198.51.100.1");
    await signIn("reem", FIREFOX, "2001:db8:1:2::3");
    for (const address of ["198.51.100.9", "2001:db8:1:9::9"]) await signIn("reem", FIREFOX, address);
    expect(await listNew("reem")).toEqual([
      ["203.0.113.7", "Safari on macOS"],
      ["198.51.100.1", "Firefox on Windows"],
      ["2001:db8:1::/48", "Firefox on Windows"],
    ]);
  });

  it("reports two concurrent sign-ins from the same new place once", async () => {
    await identity.addUser("lina", "tier1");
    await signIn("lina", FIREFOX);
    await Promise.all([1, 2, 3, 4].map(() => signIn("lina", SAFARI)));
    expect(await listNew("lina")).toHaveLength(1);
  });

  it("evicts the least recently used place beyond the limit", async () => {
    await identity.addUser("dina", "tier1");
    for (let place = 0; place <= MAX_PLACES; place += 1) await signIn("dina", FIREFOX, `198.18.${place}.1`);
    const count = async () => (await listNew("dina")).length;
    expect(await count()).toBe(MAX_PLACES);
    await signIn("dina", FIREFOX, "198.18.1.1");
    expect(await count()).toBe(MAX_PLACES);
    await signIn("dina", FIREFOX, "198.18.0.1");
    expect(await count()).toBe(MAX_PLACES + 1);
    const { length } = await identity.db
      .selectFrom("known_places")
      .selectAll()
      .where("username", "=", "dina")
      .execute();
    expect(length).toBe(MAX_PLACES);
  });
});
