import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = "/usr/share/zoneinfo";

/**
 * The POSIX rule of every zone in Debian's tzdata, each once: the rule of its file for the time after its last entry.
 */
export function zoneinfoRules(): string[] {
  const files = readdirSync(FOLDER, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const rules = files.map(({ parentPath, name }) => readFooter(readFileSync(join(parentPath, name))));
  return [...new Set(rules.filter((rule) => rule !== ""))].toSorted();
}

/** RFC 8536, section 3.3: from version 2 on, the file ends with the rule between two line feeds. */
function readFooter(file: Buffer): string {
  if (file.toString("latin1", 0, 4) !== "TZif" || file.at(-1) !== 10) return "";
  const end = file.length - 1;
  return file.toString("latin1", file.lastIndexOf(10, end - 1) + 1, end);
}
