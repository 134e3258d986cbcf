import type { Journal } from "../../foundation/audit/audit.service.ts";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { Counters } from "./counters.ts";

export interface AuditedAttempt {
  subject?: "user" | "address";
  name: string;
  address: string;
  /**
   * For `auth.guessed`: the wrong passwords of the last 15 minutes. For `auth.factor_guessed`: the wrong codes of the
   * last hour.
   */
  more_than?: number;
  /** The kind of the second factor, never the code. */
  factor?: string;
}

export interface SignInAuditDeps {
  runtime: Pick<RuntimeService, "truth">;
  journal: Journal;
}
export type SignInAudit = ReturnType<typeof createSignInAudit>;

export function createSignInAudit({ runtime, journal }: SignInAuditDeps) {
  /** Records every attempt and every logout, unless the mode forbids internal records. */
  async function record(
    action: string,
    actor: string,
    { subject = "user", name, ...details }: AuditedAttempt,
  ): Promise<void> {
    const { is_internal_workflows_allowed } = await runtime.truth();
    if (!is_internal_workflows_allowed) return;
    const change = { actor, action, subject_type: subject, subject_id: name, details };
    await journal.record(change);
  }

  return {
    record,

    /** Records a lockout once per window, however many attempts the window refuses. */
    async recordLockout(
      counter: Counters,
      client: string,
      waitMs: number,
      describe: () => Promise<AuditedAttempt>,
    ): Promise<void> {
      const reportedBefore = await counter.take({ name: "lock-out reported", limit: 1, windowMs: waitMs }, client);
      if (reportedBefore > 0) return;
      const attempt = await describe();
      await record("auth.locked_out", attempt.address, attempt);
    },
  };
}
