import { createHash } from "node:crypto";
import { Problem } from "@kit/problem";
import type { Mode } from "../runtime/runtime.schema.ts";
import type { Facts, Receipt } from "./dispatch.ts";
import { formatMail, type Letter, type Mailbox } from "./mail.ts";
import { createRecordedSending, type RecordedSendingDeps } from "./recorded-sending.ts";
import { type Envelope, type MailServer, sendBySmtp } from "./smtp.ts";

export interface MailServiceDeps extends RecordedSendingDeps {
  /** What an operator has configured; without it every mail is refused. */
  mailbox: Mailbox | undefined;
}

export interface Mail extends Omit<Letter, "from" | "at"> {
  /** Why, in words that may be read by every caller: no secret, no text of a record. */
  purpose: string;
  /** For all of it, from the first look at the name to the last reply. */
  timeoutMs: number;
}

export type MailReceipt = Receipt<{ status: number }>;

const DESTINATION = "mail";

/** The only way out for mail. */
export type MailService = ReturnType<typeof createMailService>;

export function createMailService({ mailbox, ...deps }: MailServiceDeps) {
  const { clock } = deps;
  const sendRecorded = createRecordedSending(deps);
  return {
    /** Sends it, or records or refuses it as the mode has it. Not inside a transaction. */
    async send({ purpose, timeoutMs, ...letter }: Mail): Promise<MailReceipt> {
      if (!mailbox) throw new Problem("unavailable", `${DESTINATION}: no mail server is configured`);
      const { server, from } = mailbox;
      const envelope = { from, to: letter.to, message: formatMail({ ...letter, from, at: clock.now() }) };
      return sendRecorded({
        factsIn: (mode) => buildFacts(server, envelope, purpose, mode),
        timeoutMs,
        send: async (signal) => ({ status: await sendBySmtp(server, envelope, signal) }),
      });
    },
  };
}

/** Of the recipients only where their mailboxes are. */
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
