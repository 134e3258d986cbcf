import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { notFound, Problem } from "@kit/problem";
import type { Recorder } from "../../foundation/audit/audit.service.ts";
import type { Db, Tx } from "../../foundation/database/tables.ts";
import type { ListQuery, ListResource, ScimResource } from "./scim.schema.ts";
import { type GroupDraft, MAX_MEMBERS, patchGroup, readGroup, type ScimGroup, toGroupResource } from "./scim-group.ts";
import { createScimGroupsStore, createScimGroupsWriter } from "./scim-groups.store.ts";
import { buildList, hasAttribute, readPage, selectAttributes } from "./scim-list.ts";
import { readOperations } from "./scim-patch.ts";
import type { ScimProvider } from "./scim-provider.ts";
import type { ScimRightsService } from "./scim-rights.service.ts";
import { createScimUsersStore, createScimUsersWriter } from "./scim-users.store.ts";
import { type Fields, refuseValue } from "./scim-values.ts";

export interface ScimGroupsServiceDeps {
  rights: ScimRightsService;
  audit: Recorder;
  clock: Pick<Clock, "now">;
  ids: Pick<Ids, "next">;
  baseUrl: string;
}

export type ScimGroupsService = ReturnType<typeof createScimGroupsService>;

const MAX_GROUPS = 5000;

/** The groups of a provider. Every method sees only the groups of that provider. */
export function createScimGroupsService({ rights, audit, clock, ids, baseUrl }: ScimGroupsServiceDeps) {
  async function get(tx: Db, { id: provider }: ScimProvider, id: string): Promise<ScimGroup> {
    const group = await createScimGroupsStore(tx, provider).find(id);
    if (!group) throw notFound("group", id);
    return group;
  }

  async function show(tx: Tx, provider: ScimProvider, id: string, query: ListQuery = {}): Promise<ScimResource> {
    const group = await get(tx, provider, id);
    const store = createScimGroupsStore(tx, provider.id);
    return toGroupResource(group, hasAttribute("members", query) ? await store.listMembers([id]) : [], baseUrl);
  }

  function record(tx: Tx, { id: provider }: ScimProvider, action: string, id: string, details: object): Promise<void> {
    const change = { actor: `scim:${provider}`, action, subject_type: "group", subject_id: id };
    return audit.record(tx, { ...change, details: { ...details, provider } });
  }

  async function requireUsers(tx: Tx, { id: provider }: ScimProvider, userIds: readonly string[]): Promise<void> {
    const found = new Set(await createScimUsersStore(tx, provider).findIds(userIds));
    const unknown = userIds.find((id) => !found.has(id));
    if (unknown !== undefined) throw refuseValue("members", `user '${unknown.slice(0, 100)}' does not exist`);
  }

  /** Stores the group with its members, and recomputes the rights of everyone affected. */
  async function save(tx: Tx, provider: ScimProvider, group: ScimGroup, before: GroupDraft, draft: GroupDraft) {
    const { display_name, external_id, members } = draft;
    if (await createScimGroupsStore(tx, provider.id).hasName(display_name, group.id)) throw taken(display_name);
    const writer = createScimGroupsWriter(tx);
    const added = [...members].filter((id) => !before.members.has(id));
    const removed = [...before.members].filter((id) => !members.has(id));
    const isRenamed = before.display_name !== display_name || before.external_id !== external_id;
    if (!isRenamed && added.length + removed.length === 0) return;
    await requireUsers(tx, provider, added);
    await writer.update({ ...group, display_name, external_id, updated_at: clock.now() });
    await writer.addMembers(group.id, added);
    await writer.removeMembers(group.id, removed);
    const details = { display_name, added: added.length, removed: removed.length };
    await record(tx, provider, "group.updated", group.id, details);
    await rights.refresh(tx, provider, isRenamed ? [...members, ...removed] : [...added, ...removed]);
  }

  async function draftFrom(tx: Tx, provider: ScimProvider, group: ScimGroup): Promise<GroupDraft> {
    const members = await createScimGroupsStore(tx, provider.id).listMembers([group.id]);
    const { display_name, external_id } = group;
    return { display_name, external_id, members: new Set(members.map(({ id }) => id)) };
  }

  return {
    async get(tx: Tx, provider: ScimProvider, id: string, query: ListQuery): Promise<Record<string, unknown>> {
      return selectAttributes(await show(tx, provider, id, query), query);
    },

    /** Returns fewer groups than requested if their members are too many for one response. */
    async list(tx: Tx, provider: ScimProvider, query: ListQuery): Promise<ListResource> {
      const { terms, range } = readPage(query);
      const store = createScimGroupsStore(tx, provider.id);
      const { groups, total } = await store.list(terms, range);
      if (!hasAttribute("members", query)) {
        return buildList(
          groups.map((group) => toGroupResource(group, [], baseUrl)),
          total,
          query,
        );
      }
      let size = 0;
      const shown = groups.filter((group, at) => {
        size += group.size;
        return at === 0 || size <= MAX_MEMBERS;
      });
      const members = await store.listMembers(shown.map(({ id }) => id));
      const membersByGroup = new Map(shown.map(({ id }) => [id, [] as (typeof members)[number][]]));
      for (const member of members) membersByGroup.get(member.group_id)?.push(member);
      const resources = shown.map((group) => toGroupResource(group, membersByGroup.get(group.id) ?? [], baseUrl));
      return buildList(resources, total, query);
    },

    async create(tx: Tx, provider: ScimProvider, body: Fields): Promise<ScimResource> {
      const draft = readGroup(body);
      await createScimUsersWriter(tx, provider.id).lock();
      const store = createScimGroupsStore(tx, provider.id);
      if ((await store.count()) >= MAX_GROUPS) {
        throw new Problem("conflict", `provider '${provider.id}' already has ${MAX_GROUPS} groups`);
      }
      const { display_name, external_id, members } = draft;
      const now = clock.now();
      const group = {
        id: ids.next(),
        provider: provider.id,
        display_name,
        external_id,
        created_at: now,
        updated_at: now,
      };
      if (await store.hasName(display_name, group.id)) throw taken(display_name);
      await createScimGroupsWriter(tx).insert(group);
      await record(tx, provider, "group.created", group.id, { display_name, members: members.size });
      await save(tx, provider, group, { display_name, external_id, members: new Set() }, draft);
      return show(tx, provider, group.id);
    },

    async replace(tx: Tx, provider: ScimProvider, id: string, body: Fields): Promise<ScimResource> {
      await createScimUsersWriter(tx, provider.id).lock();
      const group = await get(tx, provider, id);
      await save(tx, provider, group, await draftFrom(tx, provider, group), readGroup(body));
      return show(tx, provider, id);
    },

    async patch(tx: Tx, provider: ScimProvider, id: string, body: Fields): Promise<void> {
      await createScimUsersWriter(tx, provider.id).lock();
      const group = await get(tx, provider, id);
      const before = await draftFrom(tx, provider, group);
      const draft = { ...before, members: new Set(before.members) };
      for (const operation of readOperations(body)) patchGroup(draft, operation);
      await save(tx, provider, group, before, draft);
    },

    async delete(tx: Tx, provider: ScimProvider, id: string): Promise<void> {
      await createScimUsersWriter(tx, provider.id).lock();
      const group = await get(tx, provider, id);
      const { members } = await draftFrom(tx, provider, group);
      await createScimGroupsWriter(tx).delete(group.id);
      await record(tx, provider, "group.deleted", group.id, { display_name: group.display_name });
      await rights.refresh(tx, provider, [...members]);
    },
  };
}

function taken(displayName: string): Problem {
  return new Problem("conflict", `displayName: group '${displayName}' already exists`, {
    code: "uniqueness",
    field: "displayName",
  });
}
