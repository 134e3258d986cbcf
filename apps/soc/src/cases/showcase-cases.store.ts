import { pageInMemory } from "../lists/order.ts";
import { type Case, newestFirst, orderOf, type WholeCase } from "./case.ts";
import type { CaseReads } from "./case-reads.store.ts";
import type { ListCasesQuery } from "./cases.schema.ts";

/** The same reads over the cases of the showcase, which nobody changes. */
export function createShowcaseCaseReads(cases: readonly WholeCase[]): CaseReads {
  const wholeCase = (case_id: string) => cases.find(({ id }) => id === case_id);
  return {
    list: async (query) =>
      pageInMemory<Case>(
        cases.filter((each) => isListed(each, query)),
        orderOf(query.sort),
        query,
      ),
    find: async (case_id) => wholeCase(case_id),
    async timeline(case_id, most) {
      const entries = wholeCase(case_id)?.timeline ?? [];
      return { items: entries.toReversed().slice(0, most), total: entries.length };
    },
    observables: async (case_id, query) =>
      pageInMemory(wholeCase(case_id)?.observables ?? [], newestFirst("observables"), query),
    evidence: async (case_id, query) =>
      pageInMemory(wholeCase(case_id)?.evidence ?? [], newestFirst("evidence"), query),
    comments: async (case_id, query) =>
      pageInMemory(wholeCase(case_id)?.comments ?? [], newestFirst("comments"), query),
    tasks: async (case_id, query) => pageInMemory(wholeCase(case_id)?.tasks ?? [], newestFirst("tasks"), query),
  };
}

function isListed(each: Case, { status, severity, assignee, q }: ListCasesQuery): boolean {
  const words = q?.toLowerCase().split(/\s+/) ?? [];
  const text = `${each.title} ${each.description}`.toLowerCase();
  return (
    (status === undefined || each.status === status) &&
    (severity === undefined || each.severity === severity) &&
    (assignee === undefined || each.assignee === assignee) &&
    words.every((word) => text.includes(word))
  );
}
