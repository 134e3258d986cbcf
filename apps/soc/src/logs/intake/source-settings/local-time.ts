import { invalidField } from "@kit/problem";
import type { ToInstant } from "../../normalise/event-time.ts";

// Offsets change only at multiples of this.
const QUARTER_MS = 15 * 60_000;

/** An ambiguous local time means its second occurrence; a skipped one is moved forward. */
export function createLocalTime(timezone: string): ToInstant {
  const format = createFormat(timezone);
  let known = { quarter: Number.NaN, offsetMs: 0 };
  function findOffsetMs(epochMs: number): number {
    const quarter = Math.floor(epochMs / QUARTER_MS);
    if (known.quarter !== quarter) known = { quarter, offsetMs: readOffsetMs(format, quarter * QUARTER_MS) };
    return known.offsetMs;
  }
  return (localMs) => localMs - findOffsetMs(localMs - findOffsetMs(localMs));
}

function createFormat(timezone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat("en-US", {
      ...{ timeZone: timezone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric" },
      ...{ hour: "numeric", minute: "numeric", second: "numeric" },
    });
  } catch (error) {
    if (error instanceof RangeError) {
      throw invalidField("timezone", `'${timezone}' is not a time zone, such as Europe/Berlin`, { cause: error });
    }
    throw error;
  }
}

function readOffsetMs(format: Intl.DateTimeFormat, epochMs: number): number {
  const parts = new Map(format.formatToParts(epochMs).map(({ type, value }) => [type, Number(value)]));
  const [year, month, day] = [parts.get("year") ?? 0, parts.get("month") ?? 1, parts.get("day") ?? 1];
  const shown = Date.UTC(year, month - 1, day, parts.get("hour"), parts.get("minute"), parts.get("second"));
  return shown - epochMs;
}
