import { createHash } from "node:crypto";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { notFound } from "@kit/problem";
import type { Caller } from "../../foundation/caller/caller.ts";
import { requireStorable } from "../../foundation/records/storable.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import { BY_PASSWORD, type Device, nameOf, type ProvenBy, type Session } from "../sessions/session.ts";
import { describeDevice } from "../sign-in-locations/device-name.ts";
import type { PlacesService } from "../sign-in-locations/sign-in-locations.service.ts";
import type { SessionBody } from "./auth.schema.ts";
import type { SessionsStore } from "./sessions.store.ts";

export interface SessionsServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: SessionsStore; showcase: SessionsStore };
  places: Pick<PlacesService, "note">;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "secret">;
}
type SessionUser = Pick<Session, "username" | "token_version">;
type OpenedSession = Pick<Session, "id_hash"> & { id: string };
type SessionOwner = Pick<Caller, "username" | "token_version" | "session">;
export type SessionsService = ReturnType<typeof createSessionsService>;

export function createSessionsService({ runtime, stores, places, clock, ids }: SessionsServiceDeps) {
  /** Throws if the user has no such session. */
  async function get(store: SessionsStore, username: string, id: string): Promise<Session> {
    const session = (await store.list(username, clock.now())).find((each) => nameOf(each) === id);
    if (!session) throw notFound("session", id);
    return session;
  }

  return {
    /** Returns the session id, which only the browser stores, and its hash. */
    async open({ username, token_version }: SessionUser, device: Device, by = BY_PASSWORD): Promise<OpenedSession> {
      const id = ids.secret(32).toString("base64url");
      const now = clock.now();
      const id_hash = hashOf(id);
      const opened = { id_hash, username, token_version, created_at: now, last_used_at: now };
      await (await runtime.choose(stores)).insert({ ...opened, ...device, device_name: null, ...by });
      await places.note(username, device);
      return { id, id_hash };
    },

    /** Lists the sessions of a user; `session` is the one of the request. */
    async list({ username, token_version, session: current }: SessionOwner): Promise<SessionBody[]> {
      const sessions = await (await runtime.choose(stores)).list(username, clock.now());
      return sessions
        .filter((session) => session.token_version === token_version)
        .map((session) => ({
          id: nameOf(session),
          created_at: session.created_at.toISOString(),
          last_used_at: session.last_used_at.toISOString(),
          user_agent: session.user_agent,
          device: describeDevice(session.user_agent),
          device_name: session.device_name,
          address: session.address,
          is_current: session.id_hash === current,
        }));
    },

    async end({ username }: Pick<Caller, "username">, id: string): Promise<void> {
      const store = await runtime.choose(stores);
      await store.delete((await get(store, username, id)).id_hash);
    },

    /** Names the device of one of the caller's sessions; null removes the name. */
    async nameDevice({ username }: Caller, id: string, device_name: string | null): Promise<void> {
      requireStorable({ device_name });
      const store = await runtime.choose(stores);
      await store.nameDevice((await get(store, username, id)).id_hash, device_name);
    },

    /** Ends all sessions of the caller except the one of this request. Returns their number. */
    async endOthers({ username, session }: Caller): Promise<number> {
      return (await runtime.choose(stores)).deleteOthers(username, session);
    },

    /** Returns the start of the caller's session; undefined without a session. */
    async findStart({ session }: Caller): Promise<Date | undefined> {
      const store = await runtime.choose(stores);
      const [found] = session === undefined ? [] : await store.findAll([session], clock.now());
      return found?.created_at;
    },

    /** Returns who authenticated the user of the caller's session. */
    async findProof({ session }: Caller): Promise<ProvenBy> {
      const store = await runtime.choose(stores);
      const [found] = session === undefined ? [] : await store.findAll([session], clock.now());
      if (!found) return BY_PASSWORD;
      const { provider, provider_sid, factor_at, is_pending } = found;
      return { provider, provider_sid, factor_at, is_pending };
    },

    /** Keeps a session in use for a caller who holds only its token. */
    async extend(session: string): Promise<void> {
      await (await runtime.choose(stores)).use(session, clock.now());
    },

    /** Records that the caller's session has passed a second factor now. */
    async markFactor(session: string, factor_at: Date): Promise<void> {
      await (await runtime.choose(stores)).markFactor(session, factor_at);
    },

    /** Ends the sessions that a provider names. Returns their number. */
    async endAtProvider(provider: string, provider_sid: string): Promise<number> {
      return (await runtime.choose(stores)).deleteOfProvider(provider, provider_sid);
    },

    /** Returns the session of a request. It counts as used unless the request is passive. */
    async find(id: string, isPassive: boolean): Promise<Session | undefined> {
      const store = await runtime.choose(stores);
      const id_hash = hashOf(id);
      if (!isPassive) return store.use(id_hash, clock.now());
      return (await store.findAll([id_hash], clock.now()))[0];
    },

    /** Returns the sessions that have ended. */
    async findEnded(hashes: readonly string[]): Promise<ReadonlySet<string>> {
      if (hashes.length === 0) return new Set();
      return new Set(await (await runtime.choose(stores)).findEnded(hashes, clock.now()));
    },
  };
}

function hashOf(id: string): string {
  return createHash("sha256").update(id).digest("hex");
}
