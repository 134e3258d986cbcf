import type { Part } from "../system/parts.ts";
import type { Language } from "./language.ts";
import type { PluralForms } from "./numbers.ts";

/** A part that did not start, and what the owner notices of it. */
export interface PartPhrases {
  didNotStart: string;
  meaning: string;
}

/** Everything the page says, once per language. `{…}` is filled in by the page. */
export interface Phrases {
  language: Language;
  languageName: string;
  product: string;
  /** The product's name in the other script, beside the first. */
  productAside: string;

  loading: string;
  away: string;
  /** `{error}`: what the player answered instead. */
  refused: string;
  awayHint: string;
  lastKnown: string;
  tryNow: string;

  runningFor: string;
  lessThanAMinute: string;
  days: PluralForms;
  hours: PluralForms;
  minutes: PluralForms;
  /** `{larger}` and `{smaller}`: a duration's two largest units. */
  durationOfTwo: string;

  partsNotStarted: PluralForms;
  warningsCounted: PluralForms;
  allStarted: string;

  startUp: string;
  everythingStarted: string;
  everythingStartedHint: string;
  warnings: string;
  parts: Readonly<Record<Part, PartPhrases>>;
  /** `{component}`: the name the player gave it. */
  unknownPart: string;
  reason: string;

  readings: string;
  version: string;
  freeMemory: string;
  /** From bytes upwards, each 1024 of the one before. */
  byteUnits: readonly PluralForms[];
  storage: string;
  /** `{used}` and `{total}`: entries. */
  storageUsed: string;
  /** `{free}`: entries; `{size}`: what they hold, in words. */
  storageFree: string;

  refreshes: string;
}
