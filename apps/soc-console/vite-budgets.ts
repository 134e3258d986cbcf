import { gzipSync } from "node:zlib";
import type { Plugin, Rolldown } from "vite";

export interface Budgets {
  /** Compressed bytes of the scripts that the start page loads. */
  firstScript: number;
  firstStyle: number;
  /** What one more page loads. */
  page: number;
  /** By a part of the chunk's name. */
  largePages: Readonly<Record<string, number>>;
}

const countBytes = (text: string | Uint8Array) => gzipSync(text).length;

/** Fails the build when a page loads more than its budget. */
export function limitBytes({ firstScript, firstStyle, page, largePages }: Budgets): Plugin {
  return {
    name: "limit-bytes",
    apply: "build",
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
      const entry = chunks.find(({ isEntry }) => isEntry);
      if (!entry) return;
      const first = collect(entry, bundle);
      const findings: string[] = [];
      const check = (name: string, bytes: number, limit: number) => {
        if (bytes > limit) findings.push(`${name} has ${bytes} bytes of ${limit}`);
        else this.info(`${name}: ${bytes} bytes of ${limit}`);
      };
      check("first script", sum(first), firstScript);
      const style = bundle[[...(entry.viteMetadata?.importedCss ?? [])][0] ?? ""];
      if (style?.type === "asset") check("first style", countBytes(style.source), firstStyle);
      for (const chunk of chunks.filter(({ isDynamicEntry }) => isDynamicEntry)) {
        const more = [...collect(chunk, bundle)].filter((each) => !first.has(each));
        const large = Object.entries(largePages).find(([name]) => chunk.name.includes(name));
        check(chunk.name, sum(more), large ? large[1] : page);
      }
      if (findings.length > 0) this.error(findings.join("\n"));
    },
  };
}

/** A chunk and all that it needs at once. */
function collect(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle, found = new Set<Rolldown.OutputChunk>()) {
  if (found.has(chunk)) return found;
  found.add(chunk);
  for (const name of chunk.imports) {
    const needed = bundle[name];
    if (needed?.type === "chunk") collect(needed, bundle, found);
  }
  return found;
}

function sum(chunks: Iterable<Rolldown.OutputChunk>): number {
  return [...chunks].reduce((total, { code }) => total + countBytes(code), 0);
}
