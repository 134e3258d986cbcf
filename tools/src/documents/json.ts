export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function toArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
