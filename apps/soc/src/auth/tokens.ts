import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { generateKeyPair, jwtVerify, SignJWT } from "jose";
import { ROLES, type Role } from "./permissions.ts";

/** Who makes a request. The first argument of every service that decides by it. */
export interface Caller {
  username: string;
  role: Role;
}

export interface Tokens {
  lifetimeSeconds: number;
  issue(caller: Caller): Promise<string>;
  /** The caller of a genuine token that is valid now, else undefined. */
  verify(token: string): Promise<Caller | undefined>;
}

const ISSUER = "manara-soc";
const LIFETIME_SECONDS = 30 * 60;

export async function createTokens(clock: Pick<Clock, "now">, ids: Pick<Ids, "next">): Promise<Tokens> {
  const { privateKey, publicKey } = await generateKeyPair("EdDSA");
  return {
    lifetimeSeconds: LIFETIME_SECONDS,

    issue({ username, role }) {
      const now = Math.floor(clock.now().getTime() / 1000);
      return new SignJWT({ role })
        .setProtectedHeader({ alg: "EdDSA", typ: "JWT" })
        .setIssuer(ISSUER)
        .setAudience(ISSUER)
        .setSubject(username)
        .setJti(ids.next())
        .setIssuedAt(now)
        .setNotBefore(now)
        .setExpirationTime(now + LIFETIME_SECONDS)
        .sign(privateKey);
    },

    async verify(token) {
      const expected = {
        algorithms: ["EdDSA"],
        issuer: ISSUER,
        audience: ISSUER,
        requiredClaims: ["sub", "exp", "nbf", "jti"],
        currentDate: clock.now(),
      };
      const verified = await jwtVerify(token, publicKey, expected).catch(() => undefined);
      const role = ROLES.find((known) => known === verified?.payload.role);
      return verified?.payload.sub && role ? { username: verified.payload.sub, role } : undefined;
    },
  };
}
