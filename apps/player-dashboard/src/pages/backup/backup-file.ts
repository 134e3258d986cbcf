import type { BackupBody } from "@player/service/contract/backup";
import type { Language } from "../../app/language/language.ts";
import { counted } from "../../app/language/numbers.ts";
import { fill } from "../../app/language/translations.ts";
import type { BackupPhrases } from "./backup-phrases.ts";

const PARTS = ["settings", "favorites", "stations", "cards", "schedules", "prayer"] as const;
type Part = (typeof PARTS)[number];

/** The device accepts no larger file. */
export const MAX_BYTES = 2 * 1024 * 1024;

export type BackupFile = { isBackup: true; backup: BackupBody } | { isBackup: false; why: "unreadable" | "foreign" };

/** Parses the chosen file; the device validates its parts. */
export function readBackup(text: string): BackupFile {
  const backup = parsed(text);
  if (backup === undefined) return { isBackup: false, why: "unreadable" };
  return isRecord(backup) && PARTS.some((part) => part in backup)
    ? { isBackup: true, backup }
    : { isBackup: false, why: "foreign" };
}

/** A line for each part that is in it. */
export function contentWords(backup: BackupBody, phrases: BackupPhrases, language: Language): string[] {
  const fields = new Map<string, unknown>(Object.entries(backup));
  return PARTS.filter((part) => fields.has(part)).map((part) => partWords(part, fields.get(part), phrases, language));
}

const NONE = {
  favorites: "noFavorites",
  stations: "noStations",
  cards: "noCards",
  schedules: "noSchedules",
} as const;

function partWords(part: Part, content: unknown, phrases: BackupPhrases, language: Language): string {
  if (part === "settings") return settingsWords(content, phrases);
  if (part === "prayer") return phrases.prayer;
  const count = Array.isArray(content) ? content.length : 0;
  return count === 0 ? phrases[NONE[part]] : counted(count, phrases[part], language);
}

function settingsWords(content: unknown, phrases: BackupPhrases): string {
  const name = isRecord(content) ? content.device_name : undefined;
  return typeof name === "string" ? fill(phrases.settingsOf, { name }) : phrases.settings;
}

/** The restored parts in words; an unknown part keeps its name. */
export function restoredWords(restored: readonly string[], { parts }: BackupPhrases): string[] {
  return restored.map((name) => {
    const known = PARTS.find((part) => part === name);
    return known ? parts[known] : name;
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
