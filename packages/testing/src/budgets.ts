/** The most that `npm run bench -- speed` allows, on a quiet machine of two cores. */
export const BUDGETS = {
  "broker: connection closed after a revocation, ms": 1000,
  "broker: pause of other devices at a revocation, ms": 200,
  "chat: first token, p95 in ms": 300,
  "dashboard: page drawn on a slow phone, ms": 1000,
  "dashboard: state shown on a slow phone, ms": 2000,
  "library: scan of 5,700 files of 50 reciters, ms": 500,
  "library: scan of 20,000 files of 176 reciters, ms": 1500,
  "library: scan of 20,000 files in one folder, ms": 1500,
  "library: longest standstill during a scan, ms": 300,
  "mpv: back after a kill, ms": 2000,
  "screen: median of drawing a picture, ms": 5,
  "screen: median of encoding a picture, ms": 30,
} as const;

export type Budget = keyof typeof BUDGETS;
