import type { Bucket } from "../../../design/charts/bars.ts";
import type { DotShape, Severity } from "../../../design/severity.tsx";

export interface GalleryAlert {
  id: string;
  time: string;
  severity: Severity;
  title: string;
  host: string;
  count: number;
  status: string;
  dot: DotShape;
  assignee: string | undefined;
}

const SEVERITIES: Severity[] = ["critical", "critical", "high", "high", "medium", "medium", "low", "info"];
const TITLES = [
  "LSASS memory read by unsigned process",
  "Firmware measurement differs from catalog",
  "PowerShell download cradle, encoded command",
  "Impossible travel: two countries in 41 minutes",
  "New service installed from a user-writable path",
  "Many failed sign-ins, then a success",
  "USB storage mounted on a kiosk",
];
const HOSTS = ["fin-ws-014", "player-0043", "eng-ws-201", "vpn-gw-1", "hr-ws-033"];
const STATES = [
  ["new", "ring"],
  ["investigating", "full"],
  ["triaged", "half"],
  ["new", "ring"],
  ["resolved", "check"],
  ["false positive", "cross"],
] as const;
const NAMES = [undefined, "Layla Aziz", undefined, "Yara Karam"];

function pick<Value>(values: readonly [Value, ...Value[]] | readonly Value[], index: number): Value | undefined {
  return values[index % values.length];
}

export function makeAlert(index: number): GalleryAlert {
  const [status, dot] = pick(STATES, index) ?? STATES[0];
  const seconds = 86_399 - ((index * 37) % 86_400);
  return {
    id: `alert-${index}`,
    time: new Date(seconds * 1000).toISOString().slice(11, 19),
    severity: pick(SEVERITIES, index) ?? "info",
    title: pick(TITLES, index) ?? "",
    host: pick(HOSTS, index) ?? "",
    count: (index * 7) % 31,
    status,
    dot,
    assignee: pick(NAMES, index),
  };
}

export const SPAN = { from: "2026-11-14T20:00:00.000Z", to: "2026-11-15T20:00:00.000Z" };
const BUCKETS = 72;
const BUCKET_MS = 20 * 60 * 1000;

/** A calm day that ends with an attack. */
export const HOURS: Bucket[] = Array.from({ length: BUCKETS }, (_, index) => {
  const wave = 6 + Math.round(4 * Math.sin(index / 2));
  const storm = index > 58 ? 20 - Math.abs(66 - index) * 2 : 0;
  return {
    at: new Date(Date.parse(SPAN.from) + index * BUCKET_MS).toISOString(),
    parts: [
      { key: "low", value: wave, fill: "var(--fill-low)" },
      { key: "medium", value: Math.ceil(wave / 3) + Math.ceil(storm / 2), fill: "var(--fill-medium)" },
      { key: "high", value: storm, fill: "var(--fill-high)" },
      { key: "critical", value: Math.max(0, storm - 8), fill: "var(--fill-critical)" },
    ],
  };
});
