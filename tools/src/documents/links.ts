import { dirname, join } from "node:path/posix";

/** The anchor that GitHub gives to a heading. */
export function slugify(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, "")
    .replaceAll(" ", "-");
}

/**
 * Returns the relative links to a missing file, or to a heading that its page does not have. Pages are texts by path; a
 * link may also lead to any other existing path.
 */
export function findDeadLinks(pages: ReadonlyMap<string, string>, exists: (path: string) => boolean): string[] {
  const anchors = new Map([...pages].map(([path, text]) => [path, readAnchors(text)]));
  return [...pages].flatMap(([path, text]) =>
    readTargets(text).flatMap((target) => {
      const [file = "", anchor] = target.split("#");
      const to = file === "" ? path : join(dirname(path), decodeURIComponent(file));
      const isDead = !exists(to) || (anchor !== undefined && anchors.get(to)?.has(anchor) === false);
      return isDead ? [`${path}: ${target}`] : [];
    }),
  );
}

/** A heading that occurs twice gets a number. */
function readAnchors(text: string): Set<string> {
  const seen = new Map<string, number>();
  const headings = [...withoutCode(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => slugify(heading));
  return new Set(
    headings.map((slug) => {
      const count = seen.get(slug) ?? 0;
      seen.set(slug, count + 1);
      return count === 0 ? slug : `${slug}-${count}`;
    }),
  );
}

function readTargets(text: string): string[] {
  return [
    ...withoutCode(text)
      .replaceAll(/`[^`\n]*`/g, "")
      .matchAll(/\]\(([^)\s]+)[^)]*\)/g),
  ]
    .map(([, target = ""]) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}

function withoutCode(text: string): string {
  return text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, "");
}
