import { pageInMemory } from "../../foundation/lists/order.ts";
import { DEFAULT_LIMIT } from "../../foundation/lists/page.ts";
import {
  CASE_FILTERS,
  type Case,
  type ItemVersion,
  NO_ASSIGNEE,
  newestItemsFirst,
  toOrder,
  toTaskOrder,
  type WholeCase,
} from "./case.ts";
import type { CaseReads } from "./case-reads.store.ts";
import type { ListCasesQuery } from "./cases.schema.ts";
import { NEWEST_CHANGE_FIRST } from "./item-versions.store.ts";
import { entryBefore, timelinePage } from "./timeline.ts";

/** Reads the cases of the showcase. */
export function createShowcaseCaseReads(cases: readonly WholeCase[]): CaseReads {
  const wholeCase = (case_id: string) => cases.find(({ id }) => id === case_id);
  return {
    async list(_scope, query) {
      const listed: readonly Case[] = cases.filter((each) => isListed(each, query));
      return pageInMemory(listed, toOrder(query.sort), query);
    },
    find: async (_scope, case_id) => wholeCase(case_id),
    filter: async (_scope, case_ids) => cases.map(({ id }) => id).filter((id) => case_ids.includes(id)),
    // In dummy mode no execution is stored.
    sites: async () => [],
    mergedFrom: async () => [],
    async timeline(case_id, query) {
      const { skip = 0, limit = DEFAULT_LIMIT, cursor } = query;
      const timeline = wholeCase(case_id)?.timeline ?? [];
      const end = cursor === undefined ? timeline.length : Number(entryBefore(cursor));
      const numbered = timeline.map((entry, index) => ({ ...entry, id: String(index) }));
      const rows = numbered.slice(0, end).toReversed();
      return timelinePage(query, rows.slice(skip, skip + limit + 1), { total: timeline.length });
    },
    observables: async (case_id, query) =>
      pageInMemory(wholeCase(case_id)?.observables ?? [], newestItemsFirst("observables"), query),
    evidence: async (case_id, query) =>
      pageInMemory(wholeCase(case_id)?.evidence ?? [], newestItemsFirst("evidence"), query),
    comments: async (case_id, query) =>
      pageInMemory(wholeCase(case_id)?.comments ?? [], newestItemsFirst("comments"), query),
    tasks: async (case_id, query) => pageInMemory(wholeCase(case_id)?.tasks ?? [], toTaskOrder(query.sort), query),
    history: async (_case_id, query) => pageInMemory<ItemVersion>([], NEWEST_CHANGE_FIRST, query),
  };
}

function isListed(each: WholeCase, query: ListCasesQuery): boolean {
  const words = query.q?.toLowerCase().split(/\s+/) ?? [];
  const texts = [
    `${each.title} ${each.description}`,
    ...each.observables.map(({ type, value }) => `${type} ${value}`),
    ...each.comments.map(({ body }) => body),
  ].map((text) => text.toLowerCase());
  return (
    CASE_FILTERS.every((name) => {
      const values: readonly (string | null)[] | undefined = query[name];
      return values === undefined || values.includes(each[name] ?? NO_ASSIGNEE);
    }) &&
    (query.tag === undefined || query.tag.some((tag) => each.tags.includes(tag))) &&
    texts.some((text) => words.every((word) => text.includes(word)))
  );
}
