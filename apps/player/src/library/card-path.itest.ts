import { realpathSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Problem } from "@kit/problem";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { resolvePlace } from "./card-path.ts";

let base: string;
let card: string;

beforeAll(async () => {
  base = realpathSync(await mkdtemp(join(tmpdir(), "card-siege-")));
  card = join(base, "card");
  await mkdir(join(card, "Husary", "deep"), { recursive: true });
  await mkdir(join(base, "card2"));
  for (const path of ["secret", "card2/secret", "card/Husary/001.mp3", "card/Husary/deep/001.mp3", "card/%2e%2e"]) {
    await writeFile(join(base, path), path);
  }
  const links = {
    out: "../secret",
    base,
    top: "/",
    twin: "../card2",
    alias: "Husary",
    here: ".",
    loop: "loop",
    up: "..",
  };
  for (const [name, target] of Object.entries(links)) await symlink(target, join(card, name));
  await symlink(join(card, "out"), join(card, "Husary", "deep", "twice"));
});
afterAll(() => rm(base, { recursive: true }));

const anyPath = () => {
  const onCard = fc.constantFrom(
    "Husary",
    "deep",
    "001.mp3",
    "alias",
    "here",
    "out",
    "base",
    "top",
    "twin",
    "up",
    "loop",
  );
  const beside = fc.constantFrom(
    "secret",
    "card",
    "card2",
    "etc",
    "passwd",
    "proc",
    "self",
    "root",
    "environ",
    "twice",
  );
  const climbing = fc.constantFrom(
    "..",
    ".",
    "",
    "...",
    "%2e%2e",
    "%2E.",
    "..%00",
    "．．",
    "‥",
    "..\u200B",
    "..;",
    "~",
    ". .",
  );
  const other = fc.oneof(
    fc.string({ unit: "binary", maxLength: 6 }),
    fc.constantFrom("\0", "..\0", "\n", "\uD800", "x".repeat(256)),
  );
  const segment = fc.oneof(
    { weight: 8, arbitrary: onCard },
    { weight: 3, arbitrary: beside },
    { weight: 4, arbitrary: climbing },
    { weight: 1, arbitrary: other },
  );
  const slash = fc.oneof(
    { weight: 20, arbitrary: fc.constant("/") },
    fc.constantFrom("//", "\\", "%2f", "∕", "／", "/./"),
  );
  const start = fc.oneof(
    { weight: 6, arbitrary: fc.constant("") },
    fc.constantFrom(
      "/",
      `${card}/`,
      `${base}/`,
      `${card}/../`,
      `${card}2/`,
      `/proc/self/root${card}/`,
      "file://",
      "//",
      "./",
    ),
  );
  const end = fc.oneof(
    { weight: 6, arbitrary: fc.constant("") },
    fc.constantFrom("/", "/.", "/..", "\0.mp3", "%00", "//"),
  );
  const middle = fc.array(fc.tuple(segment, slash), { minLength: 1, maxLength: 5 });
  return fc.tuple(start, middle, end).map(([head, parts, tail]) => {
    const body = parts.map(([name, after], index) => (index < parts.length - 1 ? name + after : name)).join("");
    return head + body + tail;
  });
};

const PATHS = process.env.PROVE === "full" ? 50_000 : 10_000;

it(`never leaves the card, in ${PATHS} hostile paths`, async () => {
  const seen = { resolved: 0, refused: 0, paths: new Set<string>() };
  const attempt = async (path: string) => {
    seen.paths.add(path);
    const answered = await resolvePlace(card, path).catch((error: unknown) => error);
    if (answered instanceof Problem) {
      seen.refused += 1;
      expect(answered).toMatchObject({ kind: "invalid", message: expect.stringMatching(/^path: [a-z]/) });
      return;
    }
    if (answered instanceof Error) throw answered;
    seen.resolved += 1;
    const place = answered as { absolute: string; path: string };
    // The error message of the kernel, not ours.
    const real = realpathSync.native(place.absolute);
    expect(real === card || real.startsWith(`${card}/`)).toBe(true);
    expect(realpathSync.native(`${card}/${place.path}`)).toBe(real);
    expect(place.path).not.toMatch(/^\/|(^|\/)\.\.?(\/|$)|\/\/|\/$/);
  };
  await fc.assert(
    fc.asyncProperty(fc.array(anyPath(), { minLength: 50, maxLength: 50 }), async (paths) => {
      await Promise.all(paths.map(attempt));
    }),
    { seed: 20_260_101, numRuns: PATHS / 50, endOnFailure: true },
  );
  console.info(`${seen.paths.size} different paths: ${seen.resolved} resolved, ${seen.refused} refused`);
  expect(seen.resolved + seen.refused).toBe(PATHS);
  expect(seen.resolved).toBeGreaterThan(PATHS / 50);
  expect(seen.paths.size).toBeGreaterThan(PATHS / 2);
}, 120_000);
