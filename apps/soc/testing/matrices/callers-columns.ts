import type { OutgoingHttpHeaders } from "node:http";
import type { CallersPlatform, SignedIn } from "../harness/callers-platform.ts";
import { bearer, createForge, session } from "./callers-forgeries.ts";
import type { CallerIdentity, CallersTable } from "./callers-table.ts";

export interface Column {
  name: string;
  standing: CallerIdentity;
  /** The credentials for the next requests. A user signs in again, because a logout ends all earlier sessions. */
  comeIn(): Promise<OutgoingHttpHeaders>;
}

/** The callers that also request undocumented routes; for the others the result would be the same. */
export const CURIOUS: readonly string[] = [
  "no credentials",
  "API key with every scope",
  "admin by token",
  "admin by session, from a foreign Origin",
];

type ComeIn = (user: SignedIn) => OutgoingHttpHeaders | Promise<OutgoingHttpHeaders>;

/** All kinds of callers. */
export async function createColumns(
  platform: CallersPlatform,
  { roles, permissions }: CallersTable,
): Promise<Column[]> {
  const { addUser, signIn, asAdmin, query } = platform;
  for (const role of roles.filter((each) => each !== "admin")) await addUser(role, role);
  const addKey = (name: string, scopes: readonly string[]) => asAdmin("POST", "/api-keys", { name, scopes });
  const whole = await addKey("whole", permissions);
  const narrow = await addKey("narrow", ["cases:read"]);
  const revoked = await addKey("revoked", permissions);
  await asAdmin("DELETE", `/api-keys/${revoked.id}`);
  const [{ private_jwk: privateJwk }] = await query("SELECT private_jwk FROM signing_keys");
  const [admin, auditor] = [await signIn("admin"), await signIn("auditor")];
  const forge = await createForge({ admin, auditor, privateJwk });

  await addUser("demoted", "admin");
  async function demote(): Promise<OutgoingHttpHeaders> {
    // Not by the administrator, whom other rows of the table sign out.
    await query("UPDATE users SET role = 'admin' WHERE username = 'demoted'");
    const { token } = await signIn("demoted");
    await query("UPDATE users SET role = 'auditor' WHERE username = 'demoted'");
    return bearer(token);
  }

  const anonymous = (name: string, headers: OutgoingHttpHeaders) => given(name, { kind: "anonymous" }, headers);
  const byKey = (name: string, key: string, scopes: readonly string[]) =>
    given(name, { kind: "api_key", scopes }, { "x-api-key": key });
  const user = (name: string, role: string, comeIn: ComeIn): Column => ({
    name: `${role} ${name}`,
    standing: { kind: "user", role },
    comeIn: async () => comeIn(await signIn(role)),
  });
  const fromAnotherSite = (name: string, said: OutgoingHttpHeaders): Column => ({
    ...user(name, "admin", ({ sessionId }) => ({ ...session(sessionId), ...said })),
    standing: { kind: "user", role: "admin", isFromAnotherSite: true },
  });
  return [
    anonymous("no credentials", {}),
    anonymous("expired", forge.expired),
    ...Object.entries(forge.forgeries).map(([name, headers]) => anonymous(`forged: ${name}`, headers)),
    given("API key as a bearer token", { kind: "api_key", scopes: permissions, isBearer: true }, bearer(whole.key)),
    ...(await createFormerUsers(platform)).map(([name, headers]) => anonymous(`formerly: ${name}`, headers)),
    anonymous("revoked API key", { "x-api-key": revoked.key }),
    anonymous("unknown API key", { "x-api-key": `${whole.key}x` }),
    byKey("API key with every scope", whole.key, permissions),
    byKey("API key with cases:read", narrow.key, ["cases:read"]),
    ...roles.map((role) => user("by token", role, ({ token }) => bearer(token))),
    ...roles.map((role) => user("by session", role, ({ sessionId }) => session(sessionId))),
    user("by token, scheme in small letters", "admin", ({ token }) => ({ authorization: `bearer ${token}` })),
    user("by token signed by hand", "admin", (signedIn) => forge.signedByHand(signedIn, "admin")),
    user("by token that claims admin", "auditor", (signedIn) => forge.signedByHand(signedIn, "admin")),
    {
      name: "auditor by token of the time as admin",
      standing: { kind: "user", role: "auditor" },
      comeIn: demote,
    },
    fromAnotherSite("by session, from a foreign Origin", { origin: "https://evil.example" }),
    fromAnotherSite("by session, from a foreign Sec-Fetch-Site", { "sec-fetch-site": "cross-site" }),
  ];
}

function given(name: string, standing: CallerIdentity, headers: OutgoingHttpHeaders): Column {
  return { name, standing, comeIn: async () => headers };
}

/** Credentials of administrators that are no longer valid, for various reasons. */
async function createFormerUsers(platform: CallersPlatform): Promise<[string, OutgoingHttpHeaders][]> {
  const { addUser, signIn, asAdmin, ask, query } = platform;
  const remove = (username: string) => asAdmin("DELETE", `/users/${username}`);
  const endings: Record<string, (username: string, signedIn: SignedIn) => Promise<unknown>> = {
    disabled: (username) => asAdmin("PATCH", `/users/${username}`, { disabled: true }),
    deleted: remove,
    recreated: (username) => remove(username).then(() => addUser(username, "admin")),
    rekeyed: (username) => asAdmin("PATCH", `/users/${username}`, { password: "another long secret" }),
    left: (_username, { token }) => ask("POST", "/api/v1/auth/logout", bearer(token)),
    "ended by an administrator": async (username) => {
      const { items } = await asAdmin("GET", `/users/${encodeURIComponent(username)}/sessions`);
      return asAdmin("DELETE", `/users/${encodeURIComponent(username)}/sessions/${items[0].id}`);
    },
    "ended from another device": async (username) => {
      const other = await signIn(username);
      return ask("DELETE", "/api/v1/me/sessions", session(other.sessionId));
    },
    "ended by the provider": (username) => query("DELETE FROM sessions WHERE username = $1", [username]),
  };
  const former: [string, OutgoingHttpHeaders][] = [];
  for (const [username, end] of Object.entries(endings)) {
    await addUser(username, "admin");
    const signedIn = await signIn(username);
    const { token, sessionId } = signedIn;
    former.push([`${username}, token`, bearer(token)], [`${username}, session`, session(sessionId)]);
    await end(username, signedIn);
  }
  for (const [username, column, age] of [
    ["idle", "last_used_at", "30 minutes"],
    ["tired", "created_at", "12 hours"],
  ] as const) {
    await addUser(username, "admin");
    const { token, sessionId } = await signIn(username);
    former.push([`${username}, token`, bearer(token)], [`${username}, session`, session(sessionId)]);
    await query(`UPDATE sessions SET ${column} = ${column} - interval '${age}' WHERE username = $1`, [username]);
  }
  return former;
}
