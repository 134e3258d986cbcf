import { useEffect, useState } from "react";
import { every, now } from "../browser/clock.ts";

const SECOND_MS = 1000;

/** The time of day, again after each period. */
export function useNow(periodMs = SECOND_MS): Date {
  const [time, setTime] = useState(now);
  useEffect(() => every(periodMs, () => setTime(now())), [periodMs]);
  return time;
}
