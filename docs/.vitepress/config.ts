import { copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type DefaultTheme, defineConfig } from "vitepress";
import { slugify } from "../../tools/src/documents/links.ts";

const ROOT = join(import.meta.dirname, "../..");
/** Linked by pages, and served as they are. */
const FILES = ["docs/api/player.openapi.json", "docs/api/soc.openapi.json", "LICENSE"];

function buildEntry(file: string): DefaultTheme.SidebarItem {
  const title = /^# (.+)$/m.exec(readFileSync(join(ROOT, file), "utf8"))?.[1];
  return { text: title ?? file, link: `/${file.replace(/(README)?\.md$/, "")}` };
}

/** All pages of a folder under their own titles, README.md first. */
function buildGroup(text: string, folder: string, collapsed = false): DefaultTheme.SidebarItem {
  const pages = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith(".md"));
  const rank = (name: string) => (name === "README.md" ? "" : name);
  const sorted = pages.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
  return { text, collapsed, items: sorted.map((name) => buildEntry(`${folder}/${name}`)) };
}

export default defineConfig({
  title: "Manara",
  description: "Manara Player and Manara SOC: how to install, run, watch and extend them",
  // The pages beside docs/ belong to the site as well: README.md, ARCHITECTURE.md, the changelogs.
  srcDir: "..",
  srcExclude: ["**/node_modules/**", "**/dist/**", "**/bundle/**", "var/**", "docs/api/contract/**"],
  outDir: "../dist/docs",
  cacheDir: "../node_modules/.cache/vitepress",
  rewrites: (id) => id.replace(/README\.md$/, "index.md"),
  // A dead link ends the build. These are no pages.
  ignoreDeadLinks: [/^https?:\/\/localhost:/, /LICENSE$/],
  // The anchors that the pages have where the repository is read.
  markdown: { anchor: { slugify }, headers: { slugify, level: [2, 3] } },
  metaChunk: true,
  // The search index is one file, which is loaded with the first search.
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  themeConfig: {
    search: { provider: "local" },
    outline: { level: [2, 3] },
    nav: [
      { text: "Tutorials", link: "/docs/tutorials/" },
      { text: "Guides", link: "/docs/guides/" },
      { text: "Operations", link: "/docs/operations/" },
      { text: "APIs", link: "/docs/api/soc" },
      { text: "Decisions", link: "/docs/decisions/" },
    ],
    sidebar: {
      "/docs/api/": [
        buildGroup("The two APIs", "docs/api"),
        buildGroup("Reference of the player", "docs/api/reference/player", true),
        buildGroup("Reference of the SOC", "docs/api/reference/soc", true),
      ],
      "/docs/decisions/": [buildGroup("Decisions", "docs/decisions")],
      "/": [
        { text: "Manara", items: ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"].map(buildEntry) },
        buildGroup("Tutorials", "docs/tutorials"),
        buildGroup("Guides", "docs/guides"),
        buildGroup("Operations", "docs/operations"),
        buildGroup("Design", "docs/design", true),
        {
          text: "Project",
          items: [
            "docs/STYLE.md",
            "docs/measurements.md",
            "docs/dependencies.md",
            "apps/player/CHANGELOG.md",
            "apps/soc/CHANGELOG.md",
          ].map(buildEntry),
        },
      ],
    },
  },
  buildEnd({ outDir }) {
    for (const file of FILES) {
      mkdirSync(join(outDir, file, ".."), { recursive: true });
      copyFileSync(join(ROOT, file), join(outDir, file));
    }
  },
});
