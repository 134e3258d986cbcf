import { mkdtemp, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@kit/clock/fake";
import { createIds } from "@kit/clock/ids";
import { expect, it } from "vitest";
import { isBearerOf, openToken } from "./token.ts";

const ids = createIds(createFakeClock());
const newFolder = () => mkdtemp(join(tmpdir(), "token-"));

it("is made once: 32 random bytes in hex, readable by the owner only", async () => {
  const folder = await newFolder();
  const first = await openToken(folder, ids);
  expect(first).toMatchObject({ isNew: true, value: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(await openToken(folder, ids)).toEqual({ ...first, isNew: false });
  expect(await readFile(join(folder, "token"), "utf8")).toBe(`${first.value}\n`);
  expect((await stat(join(folder, "token"))).mode & 0o777).toBe(0o600);
});

it("is different on every device", async () => {
  const [a, b] = [await openToken(await newFolder(), ids), await openToken(await newFolder(), ids)];
  expect(a.value).not.toBe(b.value);
});

it("is made anew when its file holds anything else", async () => {
  const folder = await newFolder();
  await writeFile(join(folder, "token"), "");
  expect((await openToken(folder, ids)).isNew).toBe(true);
});

const TOKEN = "a".repeat(64);

it.each([
  [`Bearer ${TOKEN}`, true],
  [`bearer ${TOKEN}`, true],
  [undefined, false],
  ["", false],
  ["Bearer", false],
  ["Bearer ", false],
  [TOKEN, false],
  [`Basic ${TOKEN}`, false],
  [`Bearer ${TOKEN}a`, false],
  [`Bearer ${TOKEN.slice(1)}`, false],
  [`Bearer  ${TOKEN}`, false],
  [`Bearer ${"A".repeat(64)}`, false],
])("takes the header %j: %s", (authorization, isTaken) => {
  expect(isBearerOf(TOKEN, authorization)).toBe(isTaken);
});
