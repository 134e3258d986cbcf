import { Problem, rateLimited } from "@kit/problem";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { ChallengesService } from "../webauthn/challenges.service.ts";
import { type RelyingParty, requireRelyingParty } from "../webauthn/relying-party.ts";
import type { AssertionBody, RequestOptionsBody } from "../webauthn/webauthn.schema.ts";
import type { Counters, CountersBySource } from "./counters.ts";
import type { SignInAudit } from "./sign-in-audit.ts";

/** The expected properties of a signature. */
export interface ExpectedSignature {
  rp: RelyingParty;
  /** Undefined for a passkey, which identifies its user itself. */
  username: string | undefined;
  /** Consumes the challenge. */
  acceptChallenge: (challenge: string) => Promise<boolean>;
}

/** The key of a valid signature. */
export interface AcceptedKey {
  username: string;
  /** Its counter decreased, so a copy of the key exists and the signature proves nothing. */
  is_cloned: boolean;
}

/** The second factors of users. */
export interface SecondFactors {
  has(username: string): Promise<boolean>;
  /** Consumes a code. Returns its kind; undefined for a wrong or used code. */
  accept(username: string, code: string): Promise<string | undefined>;
}

export interface SecurityKeys {
  buildRequest(rp: RelyingParty, challenge: string, username?: string): Promise<RequestOptionsBody>;
  /** Consumes a signature. Undefined if it is wrong, used, or belongs to another user. */
  accept(assertion: AssertionBody, expected: ExpectedSignature): Promise<AcceptedKey | undefined>;
}

/** A second factor as a client sends it. */
export interface Proof {
  code?: string | undefined;
  webauthn?: AssertionBody | undefined;
  rp: RelyingParty | undefined;
}

export interface SecondFactorServiceDeps {
  runtime: Pick<RuntimeService, "truth">;
  factors: SecondFactors;
  securityKeys: SecurityKeys;
  challenges: ChallengesService;
  counters: CountersBySource;
  audit: SignInAudit;
}
export type SecondFactorService = ReturnType<typeof createSecondFactorService>;

const QUARTER_HOUR_MS = 15 * 60_000;
const PER_USER_AND_ADDRESS = { name: "second factor by user and address", limit: 10, windowMs: QUARTER_HOUR_MS };
// Six digits can be guessed from many addresses at once. Only clients with the right password reach this limit, and
// recovery codes are not counted, so the user can always sign in.
const PER_USER = { name: "code of an app by user", limit: 30, windowMs: 60 * 60_000 };
const PASSKEYS_PER_ADDRESS = { name: "passkey by address", limit: 50, windowMs: QUARTER_HOUR_MS };
const SHORT_CODE = /^\s*(\d\s*){6}$/;

/** Checks second factors and passkeys, and rate-limits wrong ones. */
export function createSecondFactorService(deps: SecondFactorServiceDeps) {
  const { runtime, factors, securityKeys, challenges, counters, audit } = deps;

  async function chooseCounter(): Promise<Counters> {
    const { read_data_source: source } = await runtime.truth();
    if (source === "unavailable") throw new Problem("unavailable", "the database is unavailable");
    return counters[source];
  }

  /** Checks a signature by a key of the user or, without a user, by any passkey. Records a copied key. */
  async function acceptKey(address: string, assertion: AssertionBody, rp: Proof["rp"], username?: string) {
    const purpose = username === undefined ? "passkey" : "factor";
    const acceptChallenge = (challenge: string) => challenges.accept(challenge, purpose, username);
    const expected = { rp: requireRelyingParty(rp), username, acceptChallenge };
    const accepted = await securityKeys.accept(assertion, expected);
    if (!accepted?.is_cloned) return accepted?.username;
    await audit.record("auth.factor_cloned", address, { name: accepted.username, address, factor: "webauthn" });
    return undefined;
  }

  /** Returns the kind of the factor; undefined for a wrong one. */
  async function accept(address: string, username: string, { code, webauthn, rp }: Proof): Promise<string | undefined> {
    if (webauthn) return (await acceptKey(address, webauthn, rp, username)) === undefined ? undefined : "webauthn";
    return code === undefined ? undefined : factors.accept(username, code);
  }

  return {
    has: (username: string) => factors.has(username),

    /** Returns the options that a browser needs to sign with a key of the user or, without a user, with a passkey. */
    async buildRequest(rp: RelyingParty | undefined, username?: string): Promise<RequestOptionsBody> {
      const party = requireRelyingParty(rp);
      const challenge = await challenges.create(username === undefined ? "passkey" : "factor", username);
      return securityKeys.buildRequest(party, challenge, username);
    },

    /** Returns the kind of the factor; undefined if it is wrong or used. Counts and records wrong ones. */
    async tryProof(address: string, username: string, proof: Proof): Promise<string | undefined> {
      const counter = await chooseCounter();
      const pair = JSON.stringify(["second factor", username, address]);
      // Count before the check, so that concurrent attempts count as well.
      const pairWaitMs = await counter.take(PER_USER_AND_ADDRESS, pair);
      if (pairWaitMs > 0) {
        await audit.recordLockout(counter, pair, pairWaitMs, async () => ({ name: username, address, factor: "code" }));
        throw tooManyFactors(pairWaitMs);
      }
      const isShort = proof.code !== undefined && SHORT_CODE.test(proof.code);
      const userWaitMs = isShort ? await counter.take(PER_USER, username) : 0;
      if (userWaitMs > 0) {
        await counter.giveBack(PER_USER_AND_ADDRESS, pair);
        const reported = { name: "guessed codes reported", limit: 1, windowMs: userWaitMs };
        if ((await counter.take(reported, username)) === 0) {
          await audit.record("auth.factor_guessed", address, { name: username, address, more_than: PER_USER.limit });
        }
        throw tooManyFactors(userWaitMs);
      }
      const kind = await accept(address, username, proof);
      if (kind === undefined) {
        await audit.record("auth.factor_refused", address, { name: username, address });
        return undefined;
      }
      await counter.giveBack(PER_USER_AND_ADDRESS, pair);
      if (isShort) await counter.giveBack(PER_USER, username);
      return kind;
    },

    /** Returns the user of the passkey; undefined if the signature is wrong or used. Counts wrong ones by address. */
    async tryPasskey(address: string, assertion: AssertionBody, rp: Proof["rp"]): Promise<string | undefined> {
      const counter = await chooseCounter();
      const waitMs = await counter.take(PASSKEYS_PER_ADDRESS, address);
      if (waitMs > 0) {
        const attempt = { subject: "address", name: address, address, factor: "webauthn" } as const;
        await audit.recordLockout(counter, `passkey ${address}`, waitMs, async () => attempt);
        throw tooManyFactors(waitMs);
      }
      const username = await acceptKey(address, assertion, rp);
      if (username === undefined) {
        await audit.record("auth.factor_refused", address, { subject: "address", name: address, address });
        return undefined;
      }
      await counter.giveBack(PASSKEYS_PER_ADDRESS, address);
      return username;
    },
  };
}

function tooManyFactors(waitMs: number): Problem {
  return rateLimited("too many wrong codes; see Retry-After", waitMs);
}
