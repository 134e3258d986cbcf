import { createFakeClock, createFakeIds } from "@kit/clock/fake";
import { SignJWT, UnsecuredJWT } from "jose";
import { expect, it } from "vitest";
import { createTokens } from "./tokens.ts";

async function newTokens() {
  const clock = createFakeClock();
  return { clock, tokens: await createTokens(clock, createFakeIds()) };
}

it("gives back the caller it was issued to, for thirty minutes", async () => {
  const { clock, tokens } = await newTokens();
  const token = await tokens.issue({ username: "noor", role: "tier2" });
  expect(await tokens.verify(token)).toEqual({ username: "noor", role: "tier2" });
  await clock.advance(29 * 60_000);
  expect(await tokens.verify(token)).toBeDefined();
  await clock.advance(60_000);
  expect(await tokens.verify(token)).toBeUndefined();
});

it("refuses a token of another authority", async () => {
  const [{ tokens }, { tokens: others }] = [await newTokens(), await newTokens()];
  expect(await tokens.verify(await others.issue({ username: "noor", role: "admin" }))).toBeUndefined();
});

it("refuses forged and mangled tokens", async () => {
  const { tokens } = await newTokens();
  const genuine = await tokens.issue({ username: "noor", role: "tier1" });
  const [header = "", payload = "", signature = ""] = genuine.split(".");
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
  const raised = Buffer.from(JSON.stringify({ ...claims, role: "admin" })).toString("base64url");
  const symmetric = await new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(Buffer.alloc(32, 1));
  const forged = [
    "",
    "abc",
    `${header}.${payload}.`,
    `${header}.${payload}`,
    `${header}.${raised}.${signature}`,
    `${header}.${payload}.${signature.slice(1)}A`,
    new UnsecuredJWT(claims).encode(),
    symmetric,
  ];
  for (const token of forged) expect(await tokens.verify(token)).toBeUndefined();
});
