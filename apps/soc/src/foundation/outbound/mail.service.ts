import { createHash } from "node:crypto";
import { createLookup, type Resolve } from "@kit/guard/resolver";
import { Problem } from "@kit/problem";
import type { Mode } from "../runtime/runtime.schema.ts";
import type { Facts, Receipt } from "./dispatch.ts";
import { formatMail, type Letter, type Mailbox } from "./mail.ts";
import { createRecordedSending, type RecordedSendingDeps } from "./recorded-sending.ts";
import { type Envelope, type MailServer, sendBySmtp } from "./smtp.ts";

export interface MailServiceDeps extends RecordedSendingDeps {
  /** The operator's configuration. Without it every mail is refused. */
  mailbox: Mailbox | undefined;
  resolve: Resolve;
}

export interface Mail extends Omit<Letter, "from" | "at"> {
  /** The reason. Every caller may read it, so it must contain no secret and no text of a record. */
  purpose: string;
  /** The limit for the whole exchange, from name resolution to the last reply. */
  timeoutMs: number;
}

export type MailReceipt = Receipt<{ status: number }>;

const DESTINATION = "mail";

/** The only way to send mail. */
export type MailService = ReturnType<typeof createMailService>;

export function createMailService({ mailbox, resolve, ...deps }: MailServiceDeps) {
  const { clock } = deps;
  const sendRecorded = createRecordedSending(deps);
  return {
    /** Sends, records or refuses the mail, depending on the mode. Do not call it inside a transaction. */
    async send({ purpose, timeoutMs, ...letter }: Mail): Promise<MailReceipt> {
      if (!mailbox) throw new Problem("unavailable", `${DESTINATION}: no mail server is configured`);
      const { server, from } = mailbox;
      const envelope = { from, to: letter.to, message: formatMail({ ...letter, from, at: clock.now() }) };
      return sendRecorded({
        factsIn: (mode) => buildFacts(server, envelope, purpose, mode),
        timeoutMs,
        send: async (signal) => ({
          status: await sendBySmtp({ ...server, lookup: createLookup(resolve, signal) }, envelope, signal),
        }),
      });
    },
  };
}

/** Records only the domains of the recipients. */
function buildFacts({ host, port }: MailServer, { to, message }: Envelope, purpose: string, mode: Mode): Facts {
  const domains = new Set(to.map((address) => address.slice(address.lastIndexOf("@") + 1).toLowerCase()));
  return {
    mode,
    kind: "effect",
    destination: DESTINATION,
    purpose,
    method: "MAIL",
    host: `${host}:${port}`,
    path: [...domains].sort().join(","),
    body_sha256: createHash("sha256").update(message).digest("hex"),
    body_bytes: Buffer.byteLength(message),
  };
}
