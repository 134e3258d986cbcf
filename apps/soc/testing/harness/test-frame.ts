import { createFakeIds } from "@kit/clock/fake";
import { createFrame, type Frame } from "@kit/http/frame";

/** The platform's frame without gates and rate limits, to test the routes of some features. */
export function createTestFrame(): Frame {
  return createFrame({
    errorBody: (detail) => ({ detail }),
    ids: createFakeIds(),
    bodyBytes: 1024 * 1024,
    bodyDepth: 32,
    pages: { folder: import.meta.dirname, api: "/api" },
  });
}
