import { once } from "node:events";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Problem } from "@kit/problem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { resolveFile, resolveFolder } from "./card-path.ts";

let base: string;
let card: string;
const server = createServer();

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "card-path-"));
  card = join(base, "card");
  await mkdir(join(card, "Husary", "deep"), { recursive: true });
  await mkdir(join(base, "card-twin"));
  for (const path of ["card/Husary/001.mp3", "card/100%2e.mp3", "card/..mp3", "card-twin/001.mp3", "secret"]) {
    await writeFile(join(base, path), path);
  }
  await symlink(join(base, "secret"), join(card, "out"));
  await symlink("../secret", join(card, "up"));
  await symlink(base, join(card, "base"));
  await symlink("Husary", join(card, "alias"));
  await symlink("loop", join(card, "loop"));
  await symlink(card, join(base, "card-link"));
  await once(server.listen(join(card, "socket.mp3")), "listening");
});
afterAll(async () => {
  await once(server.close(), "close");
  await rm(base, { recursive: true });
});

const OUTSIDE = "path: must lie inside the card";
const MISSING = "path: there is no such file or folder on the card";
const UNREADABLE = "path: must not have control characters or broken letters";

describe("a path from outside", () => {
  it.each([
    ["Husary/001.mp3", "Husary/001.mp3"],
    ["./Husary//./001.mp3", "Husary/001.mp3"],
    ["alias/001.mp3", "alias/001.mp3"],
    ["100%2e.mp3", "100%2e.mp3"],
    ["..mp3", "..mp3"],
    ["base/card/Husary/001.mp3", "base/card/Husary/001.mp3"],
  ])("finds the file %s", async (path, answered) => {
    expect(await resolveFile(card, path)).toMatchObject({ kind: "file", path: answered });
  });

  it("a path from outside may be absolute inside the card, also through another name of the card, and is returned relative", async () => {
    const expected = { kind: "file", absolute: join(card, "Husary/001.mp3"), path: "Husary/001.mp3" };
    const link = join(base, "card-link");
    expect(await resolveFile(card, join(card, "Husary/001.mp3"))).toEqual(expected);
    expect(await resolveFile(link, join(link, "Husary/001.mp3"))).toEqual(expected);
    expect(await resolveFile(`${card}/`, join(card, "Husary/001.mp3"))).toEqual(expected);
  });

  it("resolves a link to its real path", async () => {
    expect((await resolveFile(card, "alias/001.mp3")).absolute).toBe(join(card, "Husary/001.mp3"));
  });

  it.each([
    ["", "path: must not be empty"],
    ["../secret", OUTSIDE],
    ["Husary/../Husary/001.mp3", OUTSIDE],
    ["..", OUTSIDE],
    ["out", MISSING],
    ["up", MISSING],
    ["base/secret", MISSING],
    ["/etc/passwd", OUTSIDE],
    ["/", OUTSIDE],
    ["Husary", "path: is a folder, not a file"],
    [".", "path: is a folder, not a file"],
    ["Husary/002.mp3", MISSING],
    ["Husary/001.mp3/x", MISSING],
    ["husary/001.mp3", MISSING],
    ["loop", MISSING],
    ["%2e%2e/secret", MISSING],
    ["%2E%2E%2Fsecret", MISSING],
    ["‥/secret", MISSING],
    ["．．/secret", MISSING],
    ["..∕secret", MISSING],
    ["..\\secret", "path: must be written with forward slashes"],
    ["Husary\\001.mp3", "path: must be written with forward slashes"],
    ["Husary/001.mp3\0", UNREADABLE],
    ["Husary/001.mp3\0/../../secret", UNREADABLE],
    ["Husary/\n001.mp3", UNREADABLE],
    ["Husary/\u007F", UNREADABLE],
    ["Husary/\uD800.mp3", UNREADABLE],
    ["socket.mp3", "path: is neither a file nor a folder"],
    ["x".repeat(300), MISSING],
    ["ص/".repeat(2000), "path: must be at most 4096 bytes"],
    ["../".repeat(2000), "path: must be at most 4096 bytes"],
  ])("%j is refused for a file", async (path, message) => {
    const answered = await resolveFile(card, path).catch((error: unknown) => error);
    expect(answered).toBeInstanceOf(Problem);
    expect(answered).toMatchObject({ kind: "invalid", message });
  });

  it("a path from outside is refused when it is absolute in a folder beside the card, or in a folder whose name begins like the card's", async () => {
    for (const path of [join(base, "secret"), join(base, "card-twin/001.mp3"), `${card}/../secret`, base]) {
      await expect(resolveFile(card, path)).rejects.toMatchObject({ kind: "invalid", message: OUTSIDE });
    }
  });

  it("a path from outside is refused when no card is inserted", async () => {
    await expect(resolveFile(join(base, "nowhere"), "Husary/001.mp3")).rejects.toMatchObject({
      kind: "invalid",
      message: "path: no card is in",
    });
  });
});

describe("a path of a folder", () => {
  it.each([
    ["", ""],
    [".", ""],
    ["Husary/", "Husary"],
    ["Husary/deep", "Husary/deep"],
  ])("finds %j", async (path, answered) => {
    expect(await resolveFolder(card, path)).toMatchObject({ kind: "folder", path: answered });
  });

  it.each([
    ["Husary/001.mp3", "path: is a file, not a folder"],
    ["base", MISSING],
    ["Husary/..", OUTSIDE],
    ["nowhere", MISSING],
  ])("%j is refused", async (path, message) => {
    await expect(resolveFolder(card, path)).rejects.toMatchObject({ kind: "invalid", message });
  });
});
