import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Log } from "@kit/log";
import { invalidField, notFound, Problem } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Caller } from "../../foundation/caller/caller.ts";
import type { Role } from "../../foundation/caller/permissions.ts";
import type { Tx } from "../../foundation/database/tables.ts";
import type { Seal } from "../../foundation/records/seal.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { UsersService } from "../users/users.service.ts";
import { CONFIRM_MS, type Factor, formatSubject, MAX_FACTORS } from "./factor.ts";
import type {
  ConfirmedBody,
  EnrolRequest,
  FactorBody,
  FactorsBody,
  NewTotpBody,
  RecoveryCodesBody,
  ResetBody,
} from "./factors.schema.ts";
import { createFactorsWriter, type FactorsStore } from "./factors.store.ts";
import { createRecoveryCodes, digestRecoveryCode } from "./recovery-codes.ts";
import type { SecurityKey } from "./security-key.ts";
import type { NewKey, SecurityKeysService } from "./security-keys.service.ts";
import { createSecurityKeysWriter } from "./security-keys.store.ts";
import { findStep, formatUri, SECRET_BYTES, TOTP_CODE, toBase32 } from "./totp.ts";

export interface FactorsServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: FactorsStore; showcase: FactorsStore };
  securityKeys: Pick<SecurityKeysService, "list">;
  seal: Seal;
  users: Pick<UsersService, "endTokensIn" | "lookUp">;
  /** The roles that require a factor. */
  requiredRoles: readonly Role[];
  audit: Recorder;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next" | "secret">;
  log: Pick<Log, "error">;
}
export type FactorsService = ReturnType<typeof createFactorsService>;

export function createFactorsService(deps: FactorsServiceDeps) {
  const { runtime, stores, securityKeys, seal, users, requiredRoles, audit, clock, ids, log } = deps;

  function record(tx: Tx, { username: actor }: Caller, action: string, username: string, details: object) {
    return audit.record(tx, { actor, action, subject_type: "user", subject_id: username, details });
  }

  /** Undefined if the secret was encrypted with a key that this process does not have. */
  function openSecret(factor: Factor): Buffer | undefined {
    const text = seal.open(formatSubject(factor), factor.sealed ?? "");
    return text === undefined ? undefined : Buffer.from(text, "base64url");
  }

  function requireSecret(factor: Factor): Buffer {
    const secret = openSecret(factor);
    if (secret) return secret;
    log.error({ factor: factor.id }, "cannot decrypt the secret of a second factor with channels.key");
    throw new Problem("unavailable", "code: this host cannot check codes of an app; see channels.key");
  }

  async function acceptTotp(store: FactorsStore, username: string, code: string): Promise<boolean> {
    const now = clock.now();
    for (const factor of await store.list(username)) {
      if (factor.kind !== "totp") continue;
      const step = findStep(requireSecret(factor), code, now, factor.last_step);
      if (step !== undefined && (await store.acceptStep(factor.id, step, now))) return true;
    }
    return false;
  }

  async function renewRecoveryCodes(tx: Tx, username: string): Promise<string[]> {
    const codes = createRecoveryCodes(ids);
    const digests = codes.flatMap((code) => digestRecoveryCode(username, code) ?? []);
    await createFactorsWriter(tx).replaceRecoveryCodes(username, digests);
    return codes;
  }

  /** Throws if the user has the maximum already. Returns the number of the user's factors. */
  async function requireRoom(tx: Tx, username: string): Promise<number> {
    const { length } = await createFactorsWriter(tx).lockAndList(username);
    if (length >= MAX_FACTORS) throw new Problem("conflict", `you have ${MAX_FACTORS} factors; remove one first`);
    return length;
  }

  /** The first factor ends every session and every token, because a password alone has opened them. */
  async function complete(tx: Tx, caller: Caller, added: Factor, isFirst: boolean): Promise<string[] | null> {
    const { username } = caller;
    await record(tx, caller, "factor.added", username, { kind: added.kind, name: added.name });
    if (!isFirst) return null;
    await users.endTokensIn(tx, username);
    return renewRecoveryCodes(tx, username);
  }

  return {
    async has(username: string): Promise<boolean> {
      return (await (await runtime.choose(stores)).list(username)).length > 0;
    },

    /** Consumes a code. Returns its kind; undefined for a wrong or used code. */
    async accept(username: string, typed: string): Promise<"totp" | "recovery_code" | undefined> {
      const store = await runtime.choose(stores);
      const code = typed.replaceAll(/\s/g, "");
      if (TOTP_CODE.test(code)) return (await acceptTotp(store, username, code)) ? "totp" : undefined;
      const digest = digestRecoveryCode(username, code);
      return digest !== undefined && (await store.acceptRecoveryCode(username, digest)) ? "recovery_code" : undefined;
    },

    async list({ username, role }: Caller): Promise<FactorsBody> {
      const store = await runtime.choose(stores);
      const keys = new Map((await securityKeys.list(username)).map((key) => [key.factor_id, key]));
      return {
        items: (await store.list(username)).map((factor) => toFactorBody(factor, keys.get(factor.id))),
        recovery_codes_left: await store.countRecoveryCodes(username),
        is_required: requiredRoles.includes(role),
      };
    },

    /** Replaces an unconfirmed factor. */
    async enrolTotp(tx: Tx, { username }: Caller, { name = "Authenticator app" }: EnrolRequest): Promise<NewTotpBody> {
      requireStorable({ name });
      await requireRoom(tx, username);
      const writer = createFactorsWriter(tx);
      await writer.deleteUnconfirmed(username);
      const id = ids.next();
      const secret = ids.secret(SECRET_BYTES);
      const created_at = clock.now();
      const sealed = seal.close(formatSubject({ id }), secret.toString("base64url"));
      const unused = { last_step: null, confirmed_at: null, last_used_at: null };
      await writer.insert({ id, username, kind: "totp", name, sealed, created_at, ...unused });
      return {
        id,
        secret: toBase32(secret),
        otpauth_uri: formatUri(username, secret),
        expires_at: new Date(created_at.getTime() + CONFIRM_MS).toISOString(),
      };
    },

    async confirmTotp(tx: Tx, caller: Caller, id: string, code: string): Promise<ConfirmedBody> {
      const { username } = caller;
      const writer = createFactorsWriter(tx);
      const { length } = await writer.lockAndList(username);
      const now = clock.now();
      const factor = await writer.findUnconfirmed(username, id, new Date(now.getTime() - CONFIRM_MS));
      if (!factor) throw notFound("unconfirmed factor", id);
      const step = findStep(requireSecret(factor), code, now, null);
      if (step === undefined) throw invalidField("code", "is wrong");
      await writer.confirm(id, step, now);
      const recovery_codes = await complete(tx, caller, factor, length === 0);
      return { ...toFactorBody({ ...factor, last_used_at: now }), recovery_codes };
    },

    /** Adds a key that has just signed here, so no confirmation is needed. */
    async addKey(tx: Tx, caller: Caller, made: NewKey, name = "Security key"): Promise<ConfirmedBody> {
      requireStorable({ name });
      const { username } = caller;
      const before = await requireRoom(tx, username);
      const id = ids.next();
      const now = clock.now();
      const none = { sealed: null, last_step: null };
      const used = { created_at: now, confirmed_at: now, last_used_at: now };
      const factor: Factor = { id, username, kind: "webauthn", name, ...none, ...used };
      await createFactorsWriter(tx).insert(factor);
      const { count, ...rest } = made;
      const key = { factor_id: id, username, cloned_at: null, ...rest };
      if (!(await createSecurityKeysWriter(tx).insert(key, count)))
        throw new Problem("conflict", "credential: this key is already a factor");
      const recovery_codes = await complete(tx, caller, factor, before === 0);
      return { ...toFactorBody(factor, key), recovery_codes };
    },

    async rename(tx: Tx, caller: Caller, id: string, name: string): Promise<FactorBody> {
      requireStorable({ name });
      const { username } = caller;
      const writer = createFactorsWriter(tx);
      const factor = (await writer.lockAndList(username)).find((each) => each.id === id);
      if (!factor) throw notFound("factor", id);
      await writer.rename(id, name);
      await record(tx, caller, "factor.renamed", username, { kind: factor.kind, from: factor.name, name });
      const key = (await securityKeys.list(username)).find(({ factor_id }) => factor_id === id);
      return toFactorBody({ ...factor, name }, key);
    },

    async renewRecoveryCodes(tx: Tx, caller: Caller): Promise<RecoveryCodesBody> {
      const { username } = caller;
      const { length } = await createFactorsWriter(tx).lockAndList(username);
      if (length === 0) throw new Problem("conflict", "you have no second factor: POST /api/v1/me/factors/totp");
      const recovery_codes = await renewRecoveryCodes(tx, username);
      await record(tx, caller, "factor.recovery_codes_renewed", username, {});
      return { recovery_codes };
    },

    /** Recovery codes are useless without a factor, so they end with the last one. */
    async remove(tx: Tx, caller: Caller, id: string) {
      const { username, role } = caller;
      const writer = createFactorsWriter(tx);
      const factors = await writer.lockAndList(username);
      const factor = factors.find((each) => each.id === id);
      if (!factor) throw notFound("factor", id);
      const isLast = factors.length === 1;
      if (isLast && requiredRoles.includes(role)) {
        throw new Problem("conflict", `role '${role}' requires a second factor; add another one first`);
      }
      await (isLast ? writer.deleteAll(username) : writer.delete(username, id));
      await record(tx, caller, "factor.removed", username, { kind: factor.kind, name: factor.name });
      return { deleted: true, id };
    },

    /** For a user who has lost every factor. Ends the user's sessions and tokens. */
    async reset(tx: Tx, caller: Caller, username: string): Promise<ResetBody> {
      if (username === caller.username) {
        throw new Problem("conflict", "username: remove your own factors with DELETE /api/v1/me/factors/{id}");
      }
      // Names are case-insensitive elsewhere; a change must name its user exactly.
      const { user } = await users.lookUp(username);
      if (user?.username !== username) throw notFound("user", username);
      const writer = createFactorsWriter(tx);
      await writer.lockAndList(username);
      const removed = await writer.deleteAll(username);
      await users.endTokensIn(tx, username);
      await record(tx, caller, "factor.reset", username, { removed });
      return { removed };
    },
  };
}

function toFactorBody(factor: Factor, key?: SecurityKey): FactorBody {
  const { id, kind, name, created_at, last_used_at } = factor;
  return {
    ...{ id, kind, name, created_at: created_at.toISOString(), last_used_at: last_used_at?.toISOString() ?? null },
    is_passkey: key?.is_passkey ?? false,
    cloned_at: key?.cloned_at?.toISOString() ?? null,
  };
}
