import { invalidField } from "@kit/problem";
import { findUrlProblem } from "../../adapters/postgres/postgres-servers.ts";

/** Validates the address of the database. Several hosts are separated by commas. */
export function readDatabaseUrl(variable: string, url: string | undefined): string | undefined {
  const problem = url === undefined ? undefined : findUrlProblem(url);
  if (problem !== undefined) throw invalidField(variable, problem);
  return url;
}
