import { Problem } from "@kit/problem";

/** PostgreSQL rolled the transaction back because of another one: serialization_failure, deadlock_detected. */
const CONFLICT_CODES: readonly unknown[] = ["40001", "40P01"];
const MAX_ATTEMPTS = 4;

/** Retries a transaction that PostgreSQL rolled back because of a conflict with another one. */
export async function retryConflicts<Result>(transaction: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction();
    } catch (error) {
      if (!isConflict(error)) throw error;
      if (attempt === MAX_ATTEMPTS) {
        throw new Problem("unavailable", "other changes to the same records are in progress; try again", {
          cause: error,
        });
      }
    }
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof Error && "code" in error && CONFLICT_CODES.includes(error.code);
}
