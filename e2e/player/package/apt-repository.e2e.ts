import { execFile } from "node:child_process";
import { once } from "node:events";
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClock } from "@kit/clock";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createPublisher, type Publisher } from "../../apt-repository.ts";
import { capture } from "../../deb.ts";

// Packages without content; apt, gpg and the web server that apt asks are real.

const run = promisify(execFile);
const DAY_S = 86_400;
const NOW_S = Math.floor(createClock().now().getTime() / 1000);
/** 2026-11-15T12:00:00Z. */
const EPOCH_S = 1_794_744_000;
const VERSIONS = ["1.0.0", "1.1.0"];

let work: string;
let debs: string[];
let publisher: Publisher;
let stranger: Publisher;
let repository: string;

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), "apt-test-"));
  debs = [];
  for (const version of VERSIONS) for (const name of ["amd64", "arm64"]) debs.push(await makeDeb(version, name));
  [publisher, stranger] = [await createPublisher("Publisher"), await createPublisher("Stranger")];
  repository = await publisher.build(debs, NOW_S);
});
afterAll(async () => {
  await Promise.all([publisher.remove(), stranger.remove()]);
  await rm(work, { recursive: true });
});

async function makeDeb(version: string, architecture: string): Promise<string> {
  const stage = join(work, `${version}-${architecture}`);
  await mkdir(join(stage, "DEBIAN"), { recursive: true });
  const fields = { Package: "manara-player", Version: version, Architecture: architecture, Maintainer: "a <a@b.c>" };
  const lines = Object.entries({ ...fields, Description: "test" }).map(([name, value]) => `${name}: ${value}\n`);
  await writeFile(join(stage, "DEBIAN/control"), lines.join(""));
  const file = join(work, `manara-player_${version}_${architecture}.deb`);
  await capture("dpkg-deb", "--root-owner-group", "--build", stage, file);
  return file;
}

async function serve(folder: string): Promise<string> {
  const server: Server = createServer((request, response) => {
    readFile(join(folder, new URL(request.url ?? "/", "http://localhost").pathname)).then(
      (content) => response.end(content),
      () => response.writeHead(404).end(),
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

/** An apt with separate state that trusts the given keyring for this repository. */
async function createApt(folder: string, keyring = join(folder, "manara-archive-keyring.gpg")) {
  const root = await mkdtemp(join(work, "machine-"));
  for (const path of ["etc/preferences.d", "etc/apt.conf.d", "etc/sources.d", "state/lists/partial", "cache/partial"]) {
    await mkdir(join(root, path), { recursive: true });
  }
  await writeFile(join(root, "status"), "");
  const line = `deb [arch=amd64 signed-by=${keyring}] ${await serve(folder)} stable main\n`;
  await writeFile(join(root, "sources"), line);
  const places = {
    "Dir::Etc": join(root, "etc"),
    "Dir::Etc::sourcelist": join(root, "sources"),
    "Dir::Etc::sourceparts": join(root, "etc/sources.d"),
    "Dir::State": join(root, "state"),
    "Dir::State::status": join(root, "status"),
    "Dir::Cache": join(root, "cache"),
  };
  const settings = {
    ...places,
    "APT::Sandbox::User": "root",
    "APT::Update::Error-Mode": "any",
    "Acquire::Check-Valid-Until": "true",
  };
  const words = Object.entries(settings).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
  return (...command: string[]) =>
    run("apt-get", [...words, ...command], { cwd: root, env: { ...process.env, LC_ALL: "C.UTF-8" } });
}

describe("apt repository", () => {
  it("gives the newest version to an apt that trusts its key", async () => {
    const apt = await createApt(repository);
    await apt("update");
    const { stdout } = await apt("download", "--print-uris", "manara-player");
    expect(stdout).toContain("/pool/main/manara-player/manara-player_1.1.0_amd64.deb'");
    expect((await apt("download", "--print-uris", "manara-player=1.0.0")).stdout).toContain("_1.0.0_amd64.deb'");
    expect((await apt("download", "manara-player")).stderr).toBe("");
  });

  it("is identical for the same sources except for the two signatures, and states how long it is valid", async () => {
    const [one, other] = [await publisher.build(debs, EPOCH_S), await publisher.build(debs, EPOCH_S)];
    const entries = await readdir(one, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    expect(files.length).toBe(debs.length + 8);
    const signed = ["InRelease", "Release.gpg"];
    for (const file of files.filter((path) => !signed.includes(path.split("/").at(-1) ?? ""))) {
      expect([file, (await readFile(file)).equals(await readFile(file.replace(one, other)))]).toEqual([file, true]);
    }
    const release = await readFile(join(one, "dists/stable/Release"), "utf8");
    expect(release).toContain("\nDate: Sun, 15 Nov 2026 12:00:00 UTC\nValid-Until: Fri, 14 May 2027 12:00:00 UTC\n");
    expect(release).toContain("\nArchitectures: amd64 arm64\nComponents: main\n");
  });

  it("is refused by an apt that trusts another key", async () => {
    const other = await stranger.build(debs, NOW_S);
    const apt = await createApt(repository, join(other, "manara-archive-keyring.gpg"));
    await expect(apt("update")).rejects.toThrow(`NO_PUBKEY ${publisher.key.slice(-16)}`);
  });

  it.each([
    [
      "an index was changed",
      "dists/stable/main/binary-amd64/Packages.gz",
      /Hash Sum mismatch|File has unexpected size/,
    ],
    ["its description was changed", "dists/stable/InRelease", /BADSIG|not valid|Clearsigned file isn't valid/],
  ])("is refused when %s", async (_what, path, message) => {
    const changed = await mkdtemp(join(work, "changed-"));
    await cp(repository, changed, { recursive: true });
    if (path.endsWith("InRelease")) {
      const text = await readFile(join(changed, path), "utf8");
      await writeFile(join(changed, path), text.replace("Label: Manara", "Label: Other"));
    } else await appendFile(join(changed, path), " ");
    await expect((await createApt(changed))("update")).rejects.toThrow(message);
  });

  it("is refused when a package was changed", async () => {
    const changed = await mkdtemp(join(work, "changed-"));
    await cp(repository, changed, { recursive: true });
    const apt = await createApt(changed);
    await apt("update");
    const file = join(changed, "pool/main/manara-player/manara-player_1.1.0_amd64.deb");
    const content = await readFile(file);
    content.writeUInt8(content.readUInt8(content.length - 1) ^ 1, content.length - 1);
    await writeFile(file, content);
    await expect(apt("download", "manara-player")).rejects.toThrow("Hash Sum mismatch");
  });

  it("is refused when it was signed more than 180 days ago", async () => {
    const old = await createApt(await publisher.build(debs, NOW_S - 181 * DAY_S));
    await expect(old("update")).rejects.toThrow(/Release file .* is expired/);
    const recent = await createApt(await publisher.build(debs, NOW_S - 179 * DAY_S));
    await recent("update");
  });

  it.each([
    [
      "a key that is no fingerprint",
      (base: string[]) => [...base, "--key=manara"],
      "--key: must be a whole fingerprint",
    ],
    ["a folder that is not empty", (base: string[]) => [...base, `--folder=${work}`], "--folder: "],
    ["a folder without packages", (base: string[]) => [...base, `--packages=${work}/none`], "--packages: "],
  ])("refuses %s", async (_what, change, message) => {
    await mkdir(join(work, "none"), { recursive: true });
    const base = [`--packages=${work}`, `--folder=${work}/never`, `--key=${publisher.key}`];
    const script = join(process.cwd(), "packaging/dist/build-apt-repository.js");
    await expect(run(process.execPath, [script, ...change(base)])).rejects.toThrow(message);
  });
});
