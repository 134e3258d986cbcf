import type { Log } from "./log.ts";

const ignore = (): void => undefined;

/** A log that discards everything, for tests that do not read it. */
export const silentLog: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
