import { invalidField, type Problem } from "@kit/problem";
import { type Fields, isFields, pick } from "./scim-values.ts";

export interface PatchOperation {
  op: "add" | "replace" | "remove";
  path: string | undefined;
  value: unknown;
}

const MAX_OPERATIONS = 1000;
const MAX_PATH_LENGTH = 500;

/** RFC 7644, section 3.5.2. Entra ID capitalises the operations. */
export function readOperations(body: Fields): PatchOperation[] {
  const operations = pick(body, "Operations");
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > MAX_OPERATIONS) {
    throw invalidField("Operations", `must be a list of 1 to ${MAX_OPERATIONS} operations`, { code: "invalid_syntax" });
  }
  return operations.map(readOperation);
}

function readOperation(given: unknown): PatchOperation {
  const fields: Fields = isFields(given) ? given : {};
  const [named, path] = [pick(fields, "op"), pick(fields, "path") ?? undefined];
  const op = typeof named === "string" ? named.toLowerCase() : "";
  if (op !== "add" && op !== "replace" && op !== "remove") {
    throw invalidField("op", "must be add, replace or remove", { code: "invalid_syntax" });
  }
  if (path !== undefined && (typeof path !== "string" || path.length > MAX_PATH_LENGTH)) {
    throw refusePath(`must be a text of at most ${MAX_PATH_LENGTH} characters`, "invalid_path");
  }
  return { op, path: path === "" ? undefined : path, value: pick(fields, "value") };
}

export function refusePath(text: string, code: "invalid_path" | "no_target"): Problem {
  return invalidField("path", text, { code });
}
