import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NAMED_LICENCES } from "./named-licences.ts";
import { type ExecuteCommand, makeRelease, type ReleaseOptions } from "./release.ts";
import { settleBom } from "./sbom.ts";

// A small repository with two packages and a repository for apt that are made up; git, npm, sha256sum, gpg and minisign are real.

const ROOT = join(import.meta.dirname, "../../..");
const PACKAGES = ["manara-player_2.0.0_amd64.deb", "manara-soc_2.0.0_amd64.deb"];
const APT_KEY = "Manara";
const LICENCES = [{ name: "old-part", licence: "MIT", source: "its LICENSE, 1.0.0" }];
const FILES = {
  ".gitignore": "dist/\n",
  "package.json": JSON.stringify({
    name: "small",
    version: "2.0.0",
    license: "MIT",
    dependencies: { part: "1.0.0", "old-part": "1.0.0" },
    scripts: {
      ...Object.fromEntries(
        PACKAGES.map((name) => [`package:${name}`, `mkdir -p dist; echo ${name} > dist/${name}; echo dist/${name}`]),
      ),
      "apt-repository": "sh apt.sh",
    },
  }),
  // The signatures differ each time.
  "apt.sh": `suite="\${2#--folder=}/dists/stable"
mkdir -p "$suite" && ls "\${1#--packages=}" | grep deb >"$suite/Release" && cp /proc/sys/kernel/random/uuid "$suite/InRelease"
cp "$suite/InRelease" "$suite/Release.gpg"
`,
  "package-lock.json": JSON.stringify({
    name: "small",
    version: "2.0.0",
    lockfileVersion: 3,
    requires: true,
    packages: {
      "": { name: "small", version: "2.0.0", license: "MIT", dependencies: { part: "1.0.0", "old-part": "1.0.0" } },
      "node_modules/old-part": { version: "1.0.0" },
      "node_modules/part": { version: "1.0.0", license: "ISC" },
    },
  }),
  "apps/player/CHANGELOG.md": "# Changelog\n\n## Unreleased\n",
  "apps/soc/CHANGELOG.md": "# Changelog\n\n## 2.0.0 (2026-11-18)\n\n- All of it.\n",
};

const run = promisify(execFile);
let folder: string;
let repository: string;
let options: ReleaseOptions;

const executeIn =
  (cwd: string): ExecuteCommand =>
  async (program, words) =>
    (
      await run(program, words, {
        cwd,
        env: { ...process.env, GNUPGHOME: join(folder, "gpg") },
        maxBuffer: 64 * 1024 * 1024,
      })
    ).stdout;
const execute: ExecuteCommand = (program, words) => executeIn(repository)(program, words);
const release = (changed: Partial<ReleaseOptions> = {}) => makeRelease({ ...options, ...changed }, execute);
const git = (...words: string[]) => execute("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...words]);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "release-"));
  repository = join(folder, "repository");
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(repository, path)), { recursive: true });
    await writeFile(join(repository, path), text);
  }
  await git("init", "-q");
  await git("add", "-A");
  await git("commit", "-q", "-m", "first");
  const key = join(folder, "minisign.key");
  await run("minisign", ["-G", "-W", "-p", join(folder, "minisign.pub"), "-s", key]);
  await mkdir(join(folder, "gpg"), { mode: 0o700 });
  await execute("gpg", ["--batch", "--passphrase", "", "--quick-generate-key", APT_KEY, "ed25519", "sign", "never"]);
  options = {
    root: repository,
    version: "2.0.0",
    out: join(folder, "out"),
    key,
    aptKey: APT_KEY,
    packages: undefined,
    node: "v20",
    licences: LICENCES,
  };
});
afterAll(async () => {
  await execute("gpgconf", ["--kill", "gpg-agent"]);
  await rm(folder, { recursive: true });
});

const readOut = (name: string, out = options.out) => readFile(join(out, name), "utf8");

describe("release", () => {
  it("contains every package, SBOM, licences, checksums and provenance, which a person can verify", async () => {
    expect(await release()).toEqual(
      [
        ...PACKAGES,
        "LICENCES.txt",
        "SHA256SUMS",
        "SHA256SUMS.minisig",
        "apt/dists/stable/InRelease",
        "apt/dists/stable/Release",
        "apt/dists/stable/Release.gpg",
        "provenance.intoto.json",
        "provenance.intoto.json.minisig",
        "sbom.cdx.json",
      ].toSorted(),
    );
    await run("sha256sum", ["--check", "--strict", "SHA256SUMS"], { cwd: options.out });
    const verify = () =>
      run("minisign", ["-V", "-p", join(folder, "minisign.pub"), "-m", "provenance.intoto.json"], { cwd: options.out });
    expect((await verify()).stdout).toContain("Manara 2.0.0 provenance.intoto.json");
    expect(await readOut("LICENCES.txt")).toBe("old-part 1.0.0\tMIT\t(its LICENSE, 1.0.0)\npart 1.0.0\tISC\n");
    const commit = (await git("rev-parse", "HEAD")).trim();
    const statement: unknown = JSON.parse(await readOut("provenance.intoto.json"));
    expect(statement).toMatchObject({
      _type: "https://in-toto.io/Statement/v1",
      subject: [...PACKAGES, "LICENCES.txt", "apt/dists/stable/Release", "sbom.cdx.json"]
        .toSorted()
        .map((name) => ({ name, digest: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } })),
      predicate: {
        buildDefinition: { resolvedDependencies: [{ digest: { gitCommit: commit } }, { name: "package-lock.json" }] },
      },
    });
  });

  it("is identical when built again except for the apt signatures", async () => {
    const again = join(folder, "again");
    const names = (await release({ out: again })).filter((name) => !/InRelease$|Release\.gpg$/.test(name));
    for (const name of names) expect([name, await readOut(name, again)]).toEqual([name, await readOut(name)]);
  });

  it("fails verification after a byte was changed", async () => {
    const path = join(folder, "again", "provenance.intoto.json");
    await writeFile(path, (await readFile(path, "utf8")).replace("2.0.0", "2.0.1"));
    await expect(run("minisign", ["-V", "-p", join(folder, "minisign.pub"), "-m", path])).rejects.toThrow(
      "Signature verification failed",
    );
  });

  it("accepts existing packages", async () => {
    const packages = join(folder, "packages");
    await mkdir(packages);
    await writeFile(join(packages, "manara-soc.tar"), "an image");
    await writeFile(join(packages, "manara-soc_2.0.0_amd64.deb"), "a package");
    await writeFile(join(packages, "notes.txt"), "no package");
    const names = await release({ packages, out: join(folder, "given") });
    expect(names).toContain("manara-soc.tar");
    expect(names).not.toContain("notes.txt");
  });

  it.each([
    ["a version that is none", { version: "2.0" }, "version: '2.0' must be three numbers"],
    ["a version that no changelog has", { version: "2.0.1" }, "no changelog has the heading '## 2.0.1'"],
    ["a folder that is not empty", { out: "." }, "--out: . is not empty"],
    ["a key of apt that gpg lacks", { aptKey: "absent" }, "--apt-key: gpg has no secret key 'absent'"],
    ["a package without a licence", { licences: [] }, "no licence is known of old-part@1.0.0"],
    [
      "a named licence that is not needed",
      { licences: [...LICENCES, { name: "gone", licence: "MIT", source: "" }] },
      "no package needs: gone",
    ],
  ])("refuses %s", async (_what, changed, message) => {
    await expect(release({ out: join(folder, "refused", message.slice(0, 9)), ...changed })).rejects.toThrow(message);
  });

  it("refuses a checkout with changes and an existing tag", async () => {
    const out = join(folder, "never");
    await writeFile(join(repository, "new.txt"), "new");
    await expect(release({ out })).rejects.toThrow("changes that are not committed:\n?? new.txt");
    await rm(join(repository, "new.txt"));
    await git("tag", "v2.0.0");
    await expect(release({ out })).rejects.toThrow("the tag v2.0.0 exists already");
  });
});

it("knows the licence of every package of this repository", async () => {
  const bom = await executeIn(ROOT)("npm", ["sbom", "--sbom-format=cyclonedx", "--package-lock-only", "--omit=dev"]);
  const { packages, text } = settleBom(bom, "2026-11-18T00:00:00.000Z", NAMED_LICENCES);
  expect(packages.length).toBeGreaterThan(150);
  expect(text).toContain('"name": "manara"');
});
