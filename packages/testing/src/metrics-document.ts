import { readFile } from "node:fs/promises";

const DOCUMENT = new URL("../../../docs/operations/metrics.md", import.meta.url);
const SECTIONS = { soc: "SOC", player: "Player" } as const;

/** The names of the metrics that the documents promise for a product, in order. */
export async function readDocumentedMetrics(product: "soc" | "player"): Promise<string[]> {
  const sections = (await readFile(DOCUMENT, "utf8")).split(/^## /m);
  const own = sections.filter((section) => /^Both products$/m.test(section) || section.startsWith(SECTIONS[product]));
  const rows = own.flatMap((section) => section.split("\n")).filter((line) => line.startsWith("| `"));
  const names = rows.flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map(([, name]) => name));
  return names.map((name) => `manara_${product}_${name}`).toSorted();
}

/** The names of the metrics in an answer of GET /metrics, in order. */
export function listShownMetrics(text: string): string[] {
  return [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name ?? "").toSorted();
}
