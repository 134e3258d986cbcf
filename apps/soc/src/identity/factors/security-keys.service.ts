import type { Clock } from "@kit/clock";
import type { Log } from "@kit/log";
import { invalidField, Problem } from "@kit/problem";
import type * as WebAuthn from "@simplewebauthn/server";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { AcceptedKey, ExpectedSignature } from "../auth/second-factor.service.ts";
import type { RelyingParty } from "../webauthn/relying-party.ts";
import type {
  AssertionBody,
  AttestationBody,
  CreationOptionsBody,
  RequestOptionsBody,
} from "../webauthn/webauthn.schema.ts";
import {
  ALGORITHMS,
  buildCreationOptions,
  buildRequestOptions,
  formatUserHandle,
  type SecurityKey,
} from "./security-key.ts";
import type { SecurityKeysStore } from "./security-keys.store.ts";

export interface SecurityKeysServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: SecurityKeysStore; showcase: SecurityKeysStore };
  clock: Pick<Clock, "now">;
  log: Pick<Log, "info">;
}
export type SecurityKeysService = ReturnType<typeof createSecurityKeysService>;

/** A key that a browser has created, and its first count. */
export type NewKey = Pick<SecurityKey, "credential_id" | "public_key" | "transports" | "is_passkey"> & {
  count: number;
};

type AcceptChallenge = ExpectedSignature["acceptChallenge"];

export function createSecurityKeysService({ runtime, stores, clock, log }: SecurityKeysServiceDeps) {
  let loaded: Promise<typeof WebAuthn> | undefined;
  /** Loaded on first use. */
  const load = () => {
    loaded ??= import("@simplewebauthn/server");
    return loaded;
  };

  /** Undefined for an invalid signature; the log has the reason. */
  async function attempt<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      // The database or the keys are unavailable, which says nothing about the signature.
      if (error instanceof Problem || !(error instanceof Error)) throw error;
      log.info({ why: error.message }, "signature of a security key refused");
      return undefined;
    }
  }

  /** Returns the count of a valid signature. The count is checked when it is stored. */
  async function verify(key: SecurityKey, assertion: AssertionBody, expected: ExpectedSignature) {
    const { verifyAuthenticationResponse } = await load();
    const { clientDataJSON, authenticatorData, signature } = assertion.response;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...assertion,
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: expected.acceptChallenge,
      expectedOrigin: expected.rp.origin,
      expectedRPID: expected.rp.id,
      requireUserVerification: expected.username === undefined,
      credential: { id: key.credential_id, publicKey: new Uint8Array(key.public_key), counter: 0 },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  }

  async function list(username: string): Promise<SecurityKey[]> {
    return (await runtime.choose(stores)).list(username);
  }

  return {
    list,

    async buildCreation(rp: RelyingParty, challenge: string, username: string): Promise<CreationOptionsBody> {
      return buildCreationOptions(rp, challenge, username, await list(username));
    },

    /** For a key of this user or, without a user, for any passkey. */
    async buildRequest(rp: RelyingParty, challenge: string, username?: string): Promise<RequestOptionsBody> {
      if (username === undefined) return buildRequestOptions(rp, challenge, undefined);
      const keys = (await list(username)).filter(({ cloned_at }) => cloned_at === null);
      if (keys.length === 0)
        throw new Problem("conflict", "you have no security key: POST /api/v1/me/factors/webauthn");
      return buildRequestOptions(rp, challenge, keys);
    },

    /** Throws unless a browser has created the key for this site and this challenge. */
    async readNew(rp: RelyingParty, attestation: AttestationBody, acceptChallenge: AcceptChallenge): Promise<NewKey> {
      const { verifyRegistrationResponse } = await load();
      const answer = await attempt(() =>
        verifyRegistrationResponse({
          response: { ...attestation, clientExtensionResults: {} },
          expectedChallenge: acceptChallenge,
          expectedOrigin: rp.origin,
          expectedRPID: rp.id,
          requireUserVerification: false,
          supportedAlgorithmIDs: ALGORITHMS,
        }),
      );
      if (!answer?.verified) throw invalidField("credential", "is not valid here or was already used; start again");
      const { credential, userVerified } = answer.registrationInfo;
      const { id: credential_id, publicKey: public_key, counter: count } = credential;
      // The finder of a key without a PIN could set one, and the key would then replace the password.
      const is_passkey = userVerified && attestation.clientExtensionResults?.credProps?.rk !== false;
      const { transports = [] } = attestation.response;
      return { credential_id, public_key, count, transports, is_passkey };
    },

    /** Consumes a signature. Undefined if it is wrong, used, or belongs to another user. */
    async accept(assertion: AssertionBody, expected: ExpectedSignature): Promise<AcceptedKey | undefined> {
      const store = await runtime.choose(stores);
      const key = await store.find(assertion.id);
      if (!key || key.cloned_at || !isOfUser(key, assertion, expected.username)) return undefined;
      const count = await attempt(() => verify(key, assertion, expected));
      if (count === undefined) return undefined;
      const now = clock.now();
      const is_cloned = !(await store.acceptCount(key.factor_id, count, now));
      if (is_cloned) await store.markCloned(key.factor_id, now);
      return { username: key.username, is_cloned };
    },
  };
}

function isOfUser(key: SecurityKey, { response }: AssertionBody, username: string | undefined): boolean {
  const { userHandle } = response;
  if (userHandle && userHandle !== formatUserHandle(key.username)) return false;
  return username === undefined ? key.is_passkey : key.username === username;
}
