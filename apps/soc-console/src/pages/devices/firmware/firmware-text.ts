import type { Firmware } from "./firmware-client.ts";

const HASH = /^[0-9a-f]{64}$/;
const MAX_PCR = 23;

/** Parsed user input, or the first line that is invalid. */
export type ParseResult<Value> = { value: Value } | { wrong: string };

function listLines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

export function isHash(text: string): boolean {
  return HASH.test(text);
}

/** `4 9c…`: PCR number and value, one per line. */
export function parsePcrs(text: string): ParseResult<Record<string, string>> {
  const pcrs: Record<string, string> = {};
  for (const line of listLines(text)) {
    const [, index = "", value = ""] = /^(?:pcr\s*)?(\d{1,2})[\s:=]+([0-9a-f]{64})$/i.exec(line) ?? [];
    if (value === "" || Number(index) > MAX_PCR || String(Number(index)) in pcrs) return { wrong: line };
    pcrs[String(Number(index))] = value.toLowerCase();
  }
  return { value: pcrs };
}

/** `linux 6.12.48`: component and version, one per line. */
export function parseComponents(text: string): ParseResult<Firmware["sbom_components"]> {
  const components: Firmware["sbom_components"] = [];
  for (const line of listLines(text)) {
    const at = line.lastIndexOf(" ");
    if (at < 1) return { wrong: line };
    components.push({ name: line.slice(0, at).trim(), version: line.slice(at + 1) });
  }
  return { value: components };
}

export function formatPcrs(pcrs: Firmware["pcrs"]): string {
  return Object.entries(pcrs)
    .toSorted(([a], [b]) => Number(a) - Number(b))
    .map(([index, value]) => `${index} ${value}`)
    .join("\n");
}

export function formatComponents(components: Firmware["sbom_components"]): string {
  return components.map(({ name, version }) => `${name} ${version}`).join("\n");
}
