import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { notFound, Problem } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Db, Tx } from "../../foundation/database/tables.ts";
import type { ProvisionedUsersService } from "../users/provisioned-users.service.ts";
import type { ListQuery, ListResource, ScimResource } from "./scim.schema.ts";
import { buildList, readPage, selectAttributes } from "./scim-list.ts";
import { readOperations } from "./scim-patch.ts";
import type { ScimProvider } from "./scim-provider.ts";
import type { ScimRightsService } from "./scim-rights.service.ts";
import { patchUser, readUser, type ScimUser, toUserResource, type UserDraft } from "./scim-user.ts";
import { createScimUsersStore, createScimUsersWriter } from "./scim-users.store.ts";
import { type Fields, requireAccountName } from "./scim-values.ts";

export interface ScimUsersServiceDeps {
  accounts: ProvisionedUsersService;
  rights: ScimRightsService;
  audit: Recorder;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
  /** The base address of the SCIM resources. */
  baseUrl: string;
}

export type ScimUsersService = ReturnType<typeof createScimUsersService>;

const MAX_USERS = 50_000;

/** The users of a provider. Every method sees only the users of that provider. */
export function createScimUsersService({ accounts, rights, audit, clock, ids, baseUrl }: ScimUsersServiceDeps) {
  async function get(tx: Db, { id: provider }: ScimProvider, id: string): Promise<ScimUser> {
    const user = await createScimUsersStore(tx, provider).find(id);
    if (!user) throw notFound("user", id);
    return user;
  }

  async function show(tx: Tx, provider: ScimProvider, id: string): Promise<ScimResource> {
    const user = await get(tx, provider, id);
    const emails = await accounts.listEmails(tx, [user.username]);
    return toUserResource(user, emails.get(user.username) ?? null, baseUrl);
  }

  function record(tx: Tx, { id }: ScimProvider, action: string, username: string, details: object): Promise<void> {
    const change = { actor: `scim:${id}`, action, subject_type: "user", subject_id: username };
    return audit.record(tx, { ...change, details: { ...details, provider: id } });
  }

  async function saveEmail(tx: Tx, provider: ScimProvider, username: string, email: string | null): Promise<void> {
    const [account] = await accounts.lock(tx, [username]);
    if (account) await accounts.change(tx, provider.id, account, { ...account, email });
  }

  /** Stores the provider's data and applies its consequences. */
  async function save(tx: Tx, provider: ScimProvider, user: ScimUser, draft: UserDraft): Promise<ScimResource> {
    const { email, ...said } = draft;
    const store = createScimUsersStore(tx, provider.id);
    const namesake = await store.findByUserName(said.user_name);
    if (namesake && namesake.id !== user.id) throw taken(said.user_name);
    const before = new Map<string, unknown>(Object.entries(user));
    const changed = Object.entries(said).flatMap(([key, value]) => (before.get(key) === value ? [] : key));
    if (changed.length > 0) {
      await createScimUsersWriter(tx, provider.id).update(user.id, { ...said, updated_at: clock.now() });
      const { user_name, active } = said;
      await record(tx, provider, "user.provisioned", user.username, { changed, user_name, active });
    }
    await saveEmail(tx, provider, user.username, email);
    await rights.refresh(tx, provider, [user.id]);
    return show(tx, provider, user.id);
  }

  async function draftFrom(tx: Tx, user: ScimUser): Promise<UserDraft> {
    const { user_name, external_id, display_name, given_name, family_name, active } = user;
    const emails = await accounts.listEmails(tx, [user.username]);
    const email = emails.get(user.username) ?? null;
    return { user_name, external_id, display_name, given_name, family_name, email, active };
  }

  /** Restores a user whom the provider deleted and now creates again, under a new id. */
  async function revive(tx: Tx, provider: ScimProvider, deleted: ScimUser): Promise<ScimUser> {
    const now = clock.now();
    const changed = { id: ids.next(), deleted_at: null, active: false, created_at: now, updated_at: now };
    await createScimUsersWriter(tx, provider.id).update(deleted.id, changed);
    return { ...deleted, ...changed };
  }

  async function insert(tx: Tx, provider: ScimProvider, { email: _, ...said }: UserDraft): Promise<ScimUser> {
    const store = createScimUsersStore(tx, provider.id);
    if ((await store.count()) >= MAX_USERS) {
      throw new Problem("conflict", `provider '${provider.id}' already has ${MAX_USERS} users`);
    }
    const { account, isNew } = await accounts.adopt(tx, provider.id, requireAccountName(said.user_name));
    if (await store.isManaged(account.username)) throw taken(said.user_name);
    const now = clock.now();
    const user: ScimUser = {
      ...said,
      id: ids.next(),
      provider: provider.id,
      username: account.username,
      is_barred: true,
      // Before SCIM, only a local administrator could disable the account of an earlier sign-in.
      is_held: account.disabled && !isNew,
      deleted_at: null,
      created_at: now,
      updated_at: now,
    };
    await createScimUsersWriter(tx, provider.id).insert(user);
    return user;
  }

  return {
    async get(tx: Tx, provider: ScimProvider, id: string, query: ListQuery): Promise<Record<string, unknown>> {
      return selectAttributes(await show(tx, provider, id), query);
    },

    async list(tx: Tx, provider: ScimProvider, query: ListQuery): Promise<ListResource> {
      const { terms, range } = readPage(query);
      const { users, total } = await createScimUsersStore(tx, provider.id).list(terms, range);
      const emails = await accounts.listEmails(
        tx,
        users.map(({ username }) => username),
      );
      const resources = users.map((user) => toUserResource(user, emails.get(user.username) ?? null, baseUrl));
      return buildList(resources, total, query);
    },

    async create(tx: Tx, provider: ScimProvider, body: Fields): Promise<ScimResource> {
      const draft = readUser(body, true);
      await createScimUsersWriter(tx, provider.id).lock();
      const known = await createScimUsersStore(tx, provider.id).findByUserName(draft.user_name);
      if (known && known.deleted_at === null) throw taken(draft.user_name);
      const user = known ? await revive(tx, provider, known) : await insert(tx, provider, draft);
      await record(tx, provider, "user.created", user.username, { user_name: draft.user_name, active: draft.active });
      return save(tx, provider, user, draft);
    },

    async replace(tx: Tx, provider: ScimProvider, id: string, body: Fields): Promise<ScimResource> {
      await createScimUsersWriter(tx, provider.id).lock();
      const user = await get(tx, provider, id);
      return save(tx, provider, user, readUser(body, user.active));
    },

    async patch(tx: Tx, provider: ScimProvider, id: string, body: Fields): Promise<ScimResource> {
      await createScimUsersWriter(tx, provider.id).lock();
      const user = await get(tx, provider, id);
      const draft = await draftFrom(tx, user);
      for (const operation of readOperations(body)) patchUser(draft, operation);
      return save(tx, provider, user, draft);
    },

    /** The account remains without access, so that the person's past actions keep their name. */
    async delete(tx: Tx, provider: ScimProvider, id: string): Promise<void> {
      const writer = createScimUsersWriter(tx, provider.id);
      await writer.lock();
      const user = await get(tx, provider, id);
      await writer.leaveGroups(user.id);
      await writer.update(user.id, { active: false, deleted_at: clock.now(), updated_at: clock.now() });
      await record(tx, provider, "user.deprovisioned", user.username, { user_name: user.user_name });
      await rights.refresh(tx, provider, [user.id]);
    },
  };
}

function taken(userName: string): Problem {
  return new Problem("conflict", `userName: user '${userName}' already exists`, {
    code: "uniqueness",
    field: "userName",
  });
}
