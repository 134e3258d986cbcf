import { toAttributeName } from "@kit/query/condition-field";
import { spellNumber } from "@kit/query/condition-number";
import type { LogEvent } from "../../ports/log-event.ts";

/** Returns a function that tests whether an attribute passes: its single value, or one value of a list. */
export function createAttributeTest(
  path: readonly string[],
  test: (text: string) => boolean,
): (log: Pick<LogEvent, "attributes">) => boolean {
  const find = createAttributeFinder(toAttributeName(path).split("."));
  return ({ attributes }) => {
    const value = find(attributes, 0);
    if (!Array.isArray(value)) return passes(value, test);
    return value.some((each) => passes(each, test));
  };
}

function passes(value: unknown, test: (text: string) => boolean): boolean {
  if (typeof value === "string") return test(value);
  if (typeof value === "boolean") return test(String(value));
  return typeof value === "number" && Number.isFinite(value) && test(spellNumber(value));
}

/** Finds `a.b` under the name "a.b" as well as under "b" within "a"; a log has only one of them. */
function createAttributeFinder(parts: readonly string[]): (holder: object, from: number) => unknown {
  const keys = parts.map((_, from) =>
    parts.slice(from).map((__, more) => parts.slice(from, from + more + 1).join(".")),
  );
  const find = (holder: unknown, from: number): unknown => {
    if (!isHolder(holder)) return undefined;
    for (const [more, key] of (keys[from] ?? []).entries()) {
      const value: unknown = Object.hasOwn(holder, key) ? Reflect.get(holder, key) : undefined;
      const next = from + more + 1;
      const found = next < parts.length ? find(value, next) : toLeaf(value);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return find;
}

function toLeaf(value: unknown): unknown {
  return value === null || isHolder(value) ? undefined : value;
}

function isHolder(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
