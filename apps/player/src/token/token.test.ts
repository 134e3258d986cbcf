import { mkdtemp, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@kit/clock/fake";
import { createIds } from "@kit/clock/ids";
import { expect, it } from "vitest";
import { isBearerToken, openToken, replaceToken } from "./token.ts";

const ids = createIds(createFakeClock());
const newFolder = () => mkdtemp(join(tmpdir(), "token-"));

it("is created once: 32 random bytes in hex, readable only by the owner", async () => {
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

it("is replaced when its file has any other content", async () => {
  const folder = await newFolder();
  await writeFile(join(folder, "token"), "");
  expect((await openToken(folder, ids)).isNew).toBe(true);
});

it("is replaced by another one that is also stored", async () => {
  const folder = await newFolder();
  const first = await openToken(folder, ids);
  const second = await replaceToken(folder, ids);
  expect(second.value).not.toBe(first.value);
  expect((await openToken(folder, ids)).value).toBe(second.value);
});

const TOKEN = "0123456789abcdef".repeat(4);
const NIBBLES = "0123456789abcdef".split("");

it.each([`Bearer ${TOKEN}`, `bearer ${TOKEN}`, `BEARER ${TOKEN}`])("accepts the header %j", (authorization) => {
  expect(isBearerToken(TOKEN, authorization)).toBe(true);
});

it.each([
  undefined,
  "",
  "Bearer",
  "Bearer ",
  TOKEN,
  `Basic ${TOKEN}`,
  `Token ${TOKEN}`,
  `Bearer${TOKEN}`,
  `Bearer\t${TOKEN}`,
  `Bearer  ${TOKEN}`,
  ` Bearer ${TOKEN}`,
  `Bearer ${TOKEN} `,
  `Bearer ${TOKEN}\n`,
  `Bearer ${TOKEN} junk`,
  `Bearer ${TOKEN} ${TOKEN}`,
  `Bearer ${TOKEN}, Bearer ${TOKEN}`,
  `Bearer ${TOKEN},`,
  `Bearer ${TOKEN}${TOKEN}`,
  `Bearer ${TOKEN}\0`,
  `Bearer "${TOKEN}"`,
  `Bearer ${TOKEN.toUpperCase()}`,
  `x\nBearer ${TOKEN}`,
])("refuses the header %j", (authorization) => {
  expect(isBearerToken(TOKEN, authorization)).toBe(false);
});

it("refuses every prefix and every suffix of itself, and every change of one digit", () => {
  const near: string[] = [];
  for (let at = 0; at < TOKEN.length; at += 1) {
    near.push(TOKEN.slice(0, at), TOKEN.slice(at + 1));
    for (const nibble of NIBBLES) near.push(`${TOKEN.slice(0, at)}${nibble}${TOKEN.slice(at + 1)}`);
  }
  const wrong = near.filter((token) => token !== TOKEN);
  expect(wrong).toHaveLength(64 * (2 + 15));
  expect(wrong.filter((token) => isBearerToken(TOKEN, `Bearer ${token}`))).toEqual([]);
});

it("is never empty", () => {
  for (const authorization of ["Bearer ", "Bearer", ""]) expect(isBearerToken("", authorization)).toBe(false);
});
