import { createHash } from "node:crypto";
import { createLookup, type Resolve } from "@kit/guard/resolver";
import { createRecordedSending, type RecordedSendingDeps } from "./recorded-sending.ts";
import { SYSLOG, type SyslogServer, sendBySyslog } from "./syslog.ts";

export interface SyslogSenderDeps extends RecordedSendingDeps {
  resolve: Resolve;
}

export interface SyslogDispatch {
  server: SyslogServer;
  /** The reason. Every caller may read it, so it must contain no secret and no text of a record. */
  purpose: string;
  messages: readonly string[];
  timeoutMs: number;
}

export type SyslogSender = ReturnType<typeof createSyslogSender>;

/** The only way to send syslog messages. */
export function createSyslogSender({ resolve, ...deps }: SyslogSenderDeps) {
  const sendRecorded = createRecordedSending(deps);
  return async ({ server, purpose, messages, timeoutMs }: SyslogDispatch) => {
    const text = messages.join("\n");
    return sendRecorded({
      factsIn: (mode) => ({
        mode,
        kind: "effect",
        destination: SYSLOG,
        purpose,
        method: server.protocol.toUpperCase(),
        host: `${server.host}:${server.port}`,
        path: "",
        body_sha256: createHash("sha256").update(text).digest("hex"),
        body_bytes: Buffer.byteLength(text),
      }),
      timeoutMs,
      async send(signal) {
        await sendBySyslog({ ...server, lookup: createLookup(resolve, signal) }, messages, signal);
        return { status: 0 };
      },
    });
  };
}
