import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const run = promisify(execFile);

/** The input of the site's frame, with a dead link. */
const PAGES = {
  "README.md": "# Manara\n\n[Gone](docs/gone.md)\n",
  "ARCHITECTURE.md": "# Map\n",
  "CONTRIBUTING.md": "# Help\n",
  "SECURITY.md": "# Report\n",
  LICENSE: "free\n",
  "docs/STYLE.md": "# Style\n",
  "docs/measurements.md": "# Figures\n",
  "docs/dependencies.md": "# Parts\n",
  "docs/tutorials/README.md": "# Tutorials\n",
  "docs/guides/README.md": "# Guides\n",
  "docs/operations/README.md": "# Operations\n",
  "docs/decisions/README.md": "# Decisions\n",
  "docs/design/README.md": "# Design\n",
  "docs/api/soc.md": "# SOC\n",
  "docs/api/player.openapi.json": "{}\n",
  "docs/api/soc.openapi.json": "{}\n",
  "docs/api/reference/player/system.md": "# system\n",
  "docs/api/reference/soc/alerts.md": "# alerts\n",
  "apps/player/CHANGELOG.md": "# Changes\n",
  "apps/soc/CHANGELOG.md": "# Changes\n",
};

const folder = await mkdtemp(join(tmpdir(), "site-"));
afterAll(() => rm(folder, { recursive: true }));

it("builds the site with its reference and a local search, and requests nothing from other hosts", async () => {
  await run("npm", ["run", "docs"], { cwd: ROOT });
  const site = join(ROOT, "dist/docs");
  const files = await readdir(site, { recursive: true });
  expect(files).toEqual(
    expect.arrayContaining([
      "index.html",
      "docs/operations/index.html",
      "docs/api/reference/soc/alerts.html",
      "docs/api/reference/player/playback.html",
      "docs/api/soc.openapi.json",
      "LICENSE",
    ]),
  );
  expect(files.some((path) => path.includes("localSearchIndex"))).toBe(true);
  const loaded = /<(?:script|link|img)[^>]+(?:src|href)="(?:https?:)?\/\/[^"]*|url\(["']?(?:https?:)?\/\/[^)]*/;
  for (const path of files.filter((each) => /\.(html|css)$/.test(each))) {
    const text = await readFile(join(site, path), "utf8");
    expect([path, loaded.exec(text)?.[0]]).toEqual([path, undefined]);
  }
});

it("fails and names the page of a dead link", async () => {
  for (const [path, text] of Object.entries(PAGES)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  for (const path of ["docs/.vitepress", "tools/src/documents"]) {
    await cp(join(ROOT, path), join(folder, path), { recursive: true });
  }
  await writeFile(join(folder, "package.json"), '{ "type": "module" }\n');
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const vitepress = join(ROOT, "node_modules/vitepress/bin/vitepress.js");
  const built = run(process.execPath, [vitepress, "build", "docs"], { cwd: folder });
  await expect(built).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Found dead link ./docs/gone in file README.md"),
  });
});
