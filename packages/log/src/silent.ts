import type { Log } from "./log.ts";

const say = (): void => undefined;

/** A log for tests in which nobody reads it. */
export const silentLog: Log = { debug: say, info: say, warn: say, error: say };
