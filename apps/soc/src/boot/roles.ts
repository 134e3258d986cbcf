import { parseArgs } from "node:util";
import { invalidField } from "@kit/problem";
import type { Registrations } from "../foundation/base.ts";
import type { NeededPart } from "../foundation/health/health.ts";
import { PROCESS_ROLES, type ProcessRole } from "../foundation/process-role.ts";

/** The roles of the process that a single machine starts, and of the child that it keeps running. */
const SERVING_ROLES: readonly ProcessRole[] = ["api", "intake"];
export const WORKING_ROLES: readonly ProcessRole[] = ["worker", "relay"];

/** A value of `--role`; `all` is a single machine: the serving roles, and a child with the working roles. */
export type StartRole = ProcessRole | "all";

/** The roles of the process itself. */
export function toRoles(role: StartRole): readonly ProcessRole[] {
  return role === "all" ? SERVING_ROLES : [role];
}

/** Reads `start --role <role>`; without an argument, all roles. */
export function readStartRole(given: readonly string[]): StartRole {
  const { values } = parseArgs({
    args: [...given],
    allowPositionals: true,
    options: { role: { type: "string", default: "all" } },
  });
  const roles = [...PROCESS_ROLES, "all"] as const;
  const role = roles.find((each) => each === values.role);
  if (!role) throw invalidField("--role", `must be one of ${roles.join(", ")}`);
  return role;
}

/** The registrations whose routes and `serving` belong to a process with these roles. */
export function selectServed<Each extends Pick<Registrations, "roles">>(
  registrations: readonly Each[],
  roles: readonly ProcessRole[],
): Each[] {
  return registrations.filter((each) => (each.roles ?? ["api"]).some((role) => roles.includes(role)));
}

/**
 * The parts that must be available before a process is ready. A single machine needs its worker; a process with one
 * role does not wait for processes of other roles. With a stream between machines, the intake accepts logs while the
 * log store is down.
 */
export function listNeededParts(role: StartRole, hasStream: boolean): readonly NeededPart[] {
  if (role === "all") return ["database", "log_engine", "worker"];
  if (role === "relay" || (role === "intake" && hasStream)) return ["database"];
  return ["database", "log_engine"];
}
