import { pageInMemory } from "../../foundation/lists/order.ts";
import { type Approval, type ApprovalPolicy, NEWEST_FIRST, type Vote } from "./approval.ts";
import type { ApprovalsStore } from "./approvals.store.ts";

declare module "../../foundation/showcase/showcase.ts" {
  interface Showcase {
    approvals: Approval[];
  }
}

export function createShowcaseApprovalsStore(
  approvals: readonly Approval[],
  policy: ApprovalPolicy = { four_eyes: false, quorum: 1 },
): ApprovalsStore {
  return {
    list: async (_scope, query) =>
      pageInMemory(approvals, NEWEST_FIRST, query, ({ status }) => status === (query.status ?? "pending")),

    listOwn: async (_scope, requested_by, query) =>
      pageInMemory(
        approvals,
        NEWEST_FIRST,
        query,
        (each) => each.requested_by === requested_by && each.status === (query.status ?? each.status),
      ),

    async find(_scope, id) {
      const approval = approvals.find((each) => each.id === id);
      return approval && { ...approval, policy, requesters: [approval.requested_by], votes: toVotes(approval) };
    },

    findVisible: async (_scope, ids) => new Set(approvals.flatMap(({ id }) => (ids.includes(id) ? id : []))),
  };
}

function toVotes({ status, decided_by, decided_at, reason }: Approval): Vote[] {
  if (decided_by === null || decided_at === null) return [];
  return [{ decided_by, approved: status === "approved", reason, decided_at }];
}
