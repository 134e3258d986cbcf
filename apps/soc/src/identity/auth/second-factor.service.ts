import { Problem, rateLimited } from "@kit/problem";
import type { RuntimeService } from "../../foundation/runtime/runtime.service.ts";
import type { CountersBySource } from "./counters.ts";
import type { SignInAudit } from "./sign-in-audit.ts";

/** The second factors of users. */
export interface SecondFactors {
  has(username: string): Promise<boolean>;
  /** Uses a code up. Returns its kind; undefined for a wrong code and for one that was used. */
  accept(username: string, code: string): Promise<string | undefined>;
}

export interface SecondFactorServiceDeps {
  runtime: Pick<RuntimeService, "truth">;
  factors: SecondFactors;
  counters: CountersBySource;
  audit: SignInAudit;
}
export type SecondFactorService = ReturnType<typeof createSecondFactorService>;

const PER_USER_AND_ADDRESS = { name: "second factor by user and address", limit: 10, windowMs: 15 * 60_000 };
// Six digits can be guessed from many addresses at once. Only those who have the password come this far, and recovery
// codes are not counted here: their user can always sign in.
const PER_USER = { name: "code of an app by user", limit: 30, windowMs: 60 * 60_000 };
const SHORT_CODE = /^\s*(\d\s*){6}$/;

/** Checks second factors and limits wrong ones. */
export function createSecondFactorService({ runtime, factors, counters, audit }: SecondFactorServiceDeps) {
  return {
    has: (username: string) => factors.has(username),

    /** The kind of the factor; undefined when the code is wrong or was used. Counts and records wrong ones. */
    async tryCode(address: string, username: string, code: string): Promise<string | undefined> {
      const { read_data_source: source } = await runtime.truth();
      if (source === "unavailable") throw new Problem("unavailable", "the database is unavailable");
      const counter = counters[source];
      const pair = JSON.stringify(["second factor", username, address]);
      // Count before the check, so that concurrent guesses count, too.
      const pairWaitMs = await counter.take(PER_USER_AND_ADDRESS, pair);
      if (pairWaitMs > 0) {
        await audit.recordLockout(counter, pair, pairWaitMs, async () => ({ name: username, address, factor: "code" }));
        throw tooManyCodes(pairWaitMs);
      }
      const isShort = SHORT_CODE.test(code);
      const userWaitMs = isShort ? await counter.take(PER_USER, username) : 0;
      if (userWaitMs > 0) {
        await counter.giveBack(PER_USER_AND_ADDRESS, pair);
        const reported = { name: "guessed codes reported", limit: 1, windowMs: userWaitMs };
        if ((await counter.take(reported, username)) === 0) {
          await audit.record("auth.factor_guessed", address, { name: username, address, more_than: PER_USER.limit });
        }
        throw tooManyCodes(userWaitMs);
      }
      const kind = await factors.accept(username, code);
      if (kind === undefined) {
        await audit.record("auth.factor_refused", address, { name: username, address });
        return undefined;
      }
      await counter.giveBack(PER_USER_AND_ADDRESS, pair);
      if (isShort) await counter.giveBack(PER_USER, username);
      return kind;
    },
  };
}

function tooManyCodes(waitMs: number): Problem {
  return rateLimited("too many wrong codes; see Retry-After", waitMs);
}
