import { invalidField } from "@kit/problem";
import { findUrlProblem } from "../../adapters/postgres-servers.ts";

/** The address of the database; several hosts are separated by commas. */
export function readDatabaseUrl(variable: string, url: string | undefined): string | undefined {
  const problem = url === undefined ? undefined : findUrlProblem(url);
  if (problem !== undefined) throw invalidField(variable, problem);
  return url;
}
