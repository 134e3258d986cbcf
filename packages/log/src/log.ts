import type { Clock } from "@kit/clock";
import { type DestinationStream, destination, type Level, pino } from "pino";
import { redactFields } from "./redaction.ts";
import { escapeInvisible } from "./visible.ts";

/** The logger of every part of a product. */
export type Log = Record<"debug" | "info" | "warn" | "error", (fields: object, message: string) => void>;

export interface LogDeps {
  clock: Pick<Clock, "now">;
  level: Level;
  /** Standard error when left out: standard output belongs to the line that says "ready". */
  stream?: DestinationStream;
}

/** One JSON object a line: a constant message, values as fields, no secrets. */
export function createLog({ clock, level, stream = destination(2) }: LogDeps): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${clock.now().toISOString()}"`,
      // Errors are put into words by redact(); pino's own serializer would print their message as it is.
      serializers: { err: (error: unknown) => error },
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => redactFields(fields),
      },
    },
    { write: (line) => stream.write(escapeInvisible(line)) },
  );
}
