import process from "node:process";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { CASE, createSampleKey, createSampleLedger } from "../../../testing/fixtures/sample-ledger.ts";
import { sha256, verifyEd25519 } from "../../foundation/records/digest.ts";
import type { BundleBody } from "./ledger.schema.ts";
import { type Fault, verifyBundle } from "./verify.ts";

const LENGTH = 1000;
const numRuns = process.env.PROVE === "full" ? 500 : 40;
const TIMEOUT_MS = 900_000;
const place = fc.integer({ min: 0, max: LENGTH - 1 });

/** Returns a different value, or a minimal change: one character, or a number plus one. */
const anotherValue = fc.oneof(
  fc.jsonValue().map((value) => () => value),
  fc.nat().map((chosen) => (old: unknown) => {
    if (typeof old === "number") return old + 1;
    if (typeof old !== "string") return "0";
    const index = chosen % old.length;
    return `${old.slice(0, index)}${old[index] === "0" ? "1" : "0"}${old.slice(index + 1)}`;
  }),
);

let whole: BundleBody;
beforeAll(async () => {
  whole = await createSampleLedger(createSampleKey(), LENGTH).bundle(CASE);
});

async function faultIn(bundle: BundleBody): Promise<Fault | undefined> {
  const verdict = await verifyBundle(bundle, { sha256, verifyEd25519 });
  return verdict.isGenuine ? undefined : verdict.fault;
}

const withEntries = (entries: BundleBody["entries"]): BundleBody => ({ ...whole, entries });

describe("verification of 1,000 entries", () => {
  it("finds no fault in an unchanged bundle", async () => {
    expect(await faultIn(whole)).toBeUndefined();
  });

  it(
    "reports any single deletion and any truncation",
    async () => {
      await fc.assert(
        fc.asyncProperty(place, async (index) => {
          expect(await faultIn(withEntries(whole.entries.toSpliced(index, 1)))).toEqual(
            index === LENGTH - 1
              ? { kind: "truncated_end", message: "the end was cut off: entry 1000 is missing" }
              : { kind: "missing_entry", message: `entry ${index + 1} is missing` },
          );
          expect((await faultIn(withEntries(whole.entries.slice(0, index))))?.kind).toBe("truncated_end");
        }),
        { numRuns },
      );
    },
    TIMEOUT_MS,
  );

  it(
    "reports any single swap",
    async () => {
      await fc.assert(
        fc.asyncProperty(place, place, async (one, two) => {
          fc.pre(one < two);
          const [low, high] = [whole.entries.slice(one, one + 1), whole.entries.slice(two, two + 1)];
          const swapped = whole.entries.toSpliced(one, 1, ...high).toSpliced(two, 1, ...low);
          const message = `entry ${two + 1} is in the place of entry ${one + 1}`;
          expect(await faultIn(withEntries(swapped))).toEqual({ kind: "swapped_entries", message });
        }),
        { numRuns },
      );
    },
    TIMEOUT_MS,
  );

  it(
    "detects any change of a single value in the entries, their proofs, the chain and the checkpoint",
    async () => {
      const around = fc.constantFrom(...pathsIn({ ...whole, entries: [] }));
      const within = fc.tuple(place, fc.constantFrom(...pathsIn(whole.entries[0])));
      const anywhere = fc.oneof(
        around,
        within.map(([index, path]) => ["entries", index, ...path]),
      );
      await fc.assert(
        fc.asyncProperty(anywhere, anotherValue, async (path, another) => {
          const value = another(valueAt(whole, path));
          fc.pre(JSON.stringify(value) !== JSON.stringify(valueAt(whole, path)));
          const bundle = structuredClone(whole);
          Object.assign(Object(valueAt(bundle, path.slice(0, -1))), { [path.at(-1) ?? ""]: value });
          expect(await faultIn(bundle), path.join(".")).toBeDefined();
        }),
        { numRuns },
      );
    },
    TIMEOUT_MS,
  );
});

type Path = readonly (string | number)[];

/** Lists the paths of all leaf values. */
function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const isList = Array.isArray(value);
  return Object.entries(value).flatMap(([name, member]) => pathsIn(member, [...path, isList ? Number(name) : name]));
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce((inner: unknown, name) => Object(inner)[name], value);
}
