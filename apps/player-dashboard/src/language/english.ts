import type { Phrases } from "./phrases.ts";

export const english: Phrases = {
  language: "en",
  languageName: "English",
  product: "Manara Player",
  productAside: "منارة",

  loading: "Asking the player how it is…",
  away: "The player is not answering.",
  refused: "The player could not answer: {error}",
  awayHint: "This page tries again by itself every 10 seconds.",
  lastKnown: "Below is what it said last.",
  tryNow: "Try now",

  runningFor: "Running for",
  lessThanAMinute: "less than a minute",
  days: { one: "# day", other: "# days" },
  hours: { one: "# hour", other: "# hours" },
  minutes: { one: "# minute", other: "# minutes" },
  durationOfTwo: "{larger} and {smaller}",

  partsNotStarted: { one: "# part did not start", other: "# parts did not start" },
  warningsCounted: { one: "# warning", other: "# warnings" },
  allStarted: "All parts started",

  startUp: "Start-up",
  everythingStarted: "Everything that belongs to this player started.",
  everythingStartedHint: "If a part fails to start, it is named here together with what that means for you.",
  warnings: "Warnings",
  parts: {
    sound: {
      didNotStart: "The sound output did not start",
      meaning: "Nothing can be heard until it does.",
    },
    reader: {
      didNotStart: "The card reader did not start",
      meaning: "The player does not notice cards until it does.",
    },
    clock: {
      didNotStart: "The clock chip did not start",
      meaning: "The player may lose the time when its power is cut.",
    },
    screen: {
      didNotStart: "The screen did not start",
      meaning: "It stays dark.",
    },
    card: {
      didNotStart: "The memory card did not start",
      meaning: "Recordings on it cannot be played.",
    },
    battery: {
      didNotStart: "The battery gauge did not start",
      meaning: "How full the battery is stays unknown.",
    },
    buttons: {
      didNotStart: "The buttons did not start",
      meaning: "Pressing them does nothing.",
    },
    network: {
      didNotStart: "The Wi-Fi did not start",
      meaning: "The player can be reached by cable only, if at all.",
    },
  },
  unknownPart: "The part “{component}” did not start",
  reason: "Reason given:",

  readings: "Readings",
  version: "Version",
  freeMemory: "Free memory",
  byteUnits: [
    { one: "# byte", other: "# bytes" },
    { one: "# kilobyte", other: "# kilobytes" },
    { one: "# megabyte", other: "# megabytes" },
    { one: "# gigabyte", other: "# gigabytes" },
  ],
  storage: "Settings storage",
  storageUsed: "{used} of {total} entries used",
  storageFree: "{free} free · {size} stored",

  refreshes: "These readings refresh by themselves.",
};
