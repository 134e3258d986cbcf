import { createFakeClock, createFakeIds } from "@kit/clock/fake";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { expect, it } from "vitest";
import { createTokens } from "./tokens.ts";

async function newTokens() {
  const clock = createFakeClock();
  const pair = await generateKeyPair("EdDSA", { extractable: true });
  const keys = {
    current: async () => ({ kid: "one", privateKey: pair.privateKey }),
    findPublic: async (kid: string) => (kid === "one" ? pair.publicKey : undefined),
  };
  return { clock, pair, tokens: createTokens({ clock, ids: createFakeIds(), keys }) };
}

const NOOR = { username: "noor", role: "tier2", token_version: 7 } as const;
const HEADER = { alg: "EdDSA", typ: "JWT", kid: "one" };
const START = Date.parse("2026-01-01T00:00:00Z") / 1000;
const CLAIMS = {
  iss: "manara-soc",
  aud: "manara-soc",
  sub: "noor",
  role: "admin",
  tv: 7,
  jti: "1",
  iat: START,
  nbf: START,
  exp: START + 1800,
};

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
const without = (name: keyof typeof CLAIMS): JWTPayload => {
  const { [name]: _left, ...others } = CLAIMS;
  return others;
};

it("verifies an issued token for thirty minutes and returns its claims", async () => {
  const { clock, tokens } = await newTokens();
  const token = await tokens.issue(NOOR);
  expect(await tokens.verify(token)).toEqual(NOOR);
  expect(await tokens.verify(await tokens.issue({ ...NOOR, session: "a1" }))).toEqual({ ...NOOR, session: "a1" });
  await clock.advance(29 * 60_000);
  expect(await tokens.verify(token)).toBeDefined();
  await clock.advance(65_000);
  expect(await tokens.verify(token)).toBeUndefined();
});

it.each([
  [5, true],
  [7, false],
])("checks a token on a machine whose clock is %i seconds behind: valid %s", async (seconds, isValid) => {
  const { clock, tokens } = await newTokens();
  const token = await tokens.issue(NOOR);
  clock.jumpTo(new Date(clock.now().getTime() - seconds * 1000));
  expect((await tokens.verify(token)) !== undefined).toBe(isValid);
});

it("accepts the unmodified claims of the forgeries below", async () => {
  const { pair, tokens } = await newTokens();
  const genuine = await new SignJWT(CLAIMS).setProtectedHeader(HEADER).sign(pair.privateKey);
  expect(await tokens.verify(genuine)).toEqual({ ...NOOR, role: "admin" });
});

it("refuses a token that was forged or damaged in any of thirty ways", async () => {
  const { pair, tokens } = await newTokens();
  const stranger = await generateKeyPair("EdDSA", { extractable: true });
  const { x = "" } = await exportJWK(pair.publicKey);
  const sign = (claims: JWTPayload, header: object = {}, key = pair.privateKey) =>
    new SignJWT(claims).setProtectedHeader({ ...HEADER, ...header }).sign(key);
  const genuine = await tokens.issue(NOOR);
  const [header = "", payload = "", signature = ""] = genuine.split(".");
  const raised = encoded({ ...CLAIMS, role: "admin" });

  const forged: Record<string, string> = {
    empty: "",
    "no token at all": "abc",
    "three dots": "...",
    "without its signature": `${header}.${payload}.`,
    "cut off before the signature": `${header}.${payload}`,
    "with a part too many": `${genuine}.${signature}`,
    "with another payload": `${header}.${raised}.${signature}`,
    "with a changed signature": `${header}.${payload}.${signature.slice(1)}A`,
    "with the signature of zeros": `${header}.${payload}.${Buffer.alloc(64).toString("base64url")}`,
    "with the header of another key": `${encoded({ ...HEADER, kid: "two" })}.${payload}.${signature}`,
    "alg none": new UnsecuredJWT(CLAIMS).encode(),
    "alg none with our key's name": `${encoded({ alg: "none", typ: "JWT", kid: "one" })}.${raised}.`,
    "alg None, spelled otherwise": `${encoded({ ...HEADER, alg: "nOnE" })}.${raised}.${signature}`,
    "symmetric with any secret": await new SignJWT(CLAIMS)
      .setProtectedHeader({ ...HEADER, alg: "HS256" })
      .sign(Buffer.alloc(32, 1)),
    "symmetric with the public key as secret": await new SignJWT(CLAIMS)
      .setProtectedHeader({ ...HEADER, alg: "HS256" })
      .sign(Buffer.from(x, "base64url")),
    "signed by a stranger with the id of our key": await sign(CLAIMS, {}, stranger.privateKey),
    "signed by a stranger with another key id": await sign(CLAIMS, { kid: "stranger" }, stranger.privateKey),
    "with the stranger's key inside": await sign(
      CLAIMS,
      { jwk: await exportJWK(stranger.publicKey) },
      stranger.privateKey,
    ),
    "with the URL of the stranger's keys": await sign(CLAIMS, { jku: "https://evil.test/" }, stranger.privateKey),
    "without a key id": await sign(CLAIMS, { kid: undefined }),
    "of another type": await sign(CLAIMS, { typ: "at+jwt" }),
    "with an unknown critical header": `${encoded({ ...HEADER, crit: ["exp"] })}.${payload}.${signature}`,
    "of another issuer": await sign({ ...CLAIMS, iss: "another" }),
    "for another audience": await sign({ ...CLAIMS, aud: "another" }),
    "not valid yet": await sign({ ...CLAIMS, nbf: START + 60 }),
    expired: await sign({ ...CLAIMS, exp: START - 5 }),
    "without an expiry": await sign(without("exp")),
    "without a beginning": await sign(without("nbf")),
    "without an id": await sign(without("jti")),
    "without a user": await sign(without("sub")),
    "without a version": await sign(without("tv")),
    "with a version as text": await sign({ ...CLAIMS, tv: "7" }),
    "with a session that is not text": await sign({ ...CLAIMS, sid: 7 }),
    "with a role that does not exist": await sign({ ...CLAIMS, role: "root" }),
  };
  const accepted: string[] = [];
  for (const [way, token] of Object.entries(forged)) if (await tokens.verify(token)) accepted.push(way);
  expect(accepted).toEqual([]);
  expect(Object.keys(forged).length).toBeGreaterThanOrEqual(30);
});
