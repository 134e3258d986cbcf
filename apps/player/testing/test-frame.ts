import { createFakeIds } from "@kit/clock/fake";
import { createFrame, type Frame } from "@kit/http/frame";
import type { Tls } from "@kit/http/server";

/** The player's HTTP frame without token check and budgets, for testing the routes of one feature. */
export function createTestFrame(tls?: Tls): Frame {
  return createFrame({
    errorBody: (error) => ({ error }),
    ids: createFakeIds(),
    bodyBytes: 16 * 1024,
    bodyDepth: 8,
    pages: { folder: import.meta.dirname, api: "/api" },
    tls,
  });
}
