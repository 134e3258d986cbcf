import { createHash } from "node:crypto";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import { OUTSIDE } from "../runtime/mode-table.ts";
import type { Mode } from "../runtime/runtime.schema.ts";
import type { RuntimeService } from "../runtime/runtime.service.ts";
import type { Facts, OutboundEntry } from "./dispatch.ts";
import { type Letter, messageOf } from "./mail.ts";
import type { OutboundStore } from "./outbound.store.ts";
import { type Envelope, type MailServer, sendBySmtp } from "./smtp.ts";

export interface MailServiceDeps {
  runtime: Pick<RuntimeService, "truth" | "choose">;
  stores: { database: OutboundStore; showcase: OutboundStore };
  /** What an operator has configured; without it every mail is refused. */
  mailbox: { server: MailServer; from: string } | undefined;
  clock: Pick<Clock, "now" | "deadline">;
  ids: Pick<Ids, "next">;
  log: Pick<Log, "warn">;
}

export interface Mail extends Omit<Letter, "from" | "at"> {
  /** Why, in words that may be read by every caller: no secret, no text of a record. */
  purpose: string;
  /** For all of it, from the first look at the name to the last reply. */
  timeoutMs: number;
}

export type MailReceipt = { outcome: "recorded" | "answered"; id: string };

type Outcome = Pick<OutboundEntry, "outcome" | "status" | "of">;
const DESTINATION = "mail";

/** The way out for mail, under the same rule as every other: nothing leaves that was not written down before. */
export function createMailService({ runtime, stores, mailbox, clock, ids, log }: MailServiceDeps) {
  async function record(store: OutboundStore, facts: Facts, outcome: Outcome): Promise<string> {
    const id = ids.next();
    await store.append({ id, at: clock.now(), ...facts, ...outcome });
    return id;
  }

  /** It has happened: a record that fails must not look like a mail that failed, or it would be repeated. */
  async function recordEnd(store: OutboundStore, facts: Facts, outcome: Outcome): Promise<void> {
    await record(store, facts, outcome).catch((error: unknown) =>
      log.warn({ err: error, destination: DESTINATION, ...outcome }, "end of a dispatch not recorded"),
    );
  }

  async function deliver(server: MailServer, envelope: Envelope, timeoutMs: number): Promise<number> {
    const deadline = clock.deadline(timeoutMs);
    try {
      return await sendBySmtp(server, envelope, deadline);
    } catch (cause) {
      if (!deadline.aborted) throw cause;
      throw new Problem("unavailable", `${DESTINATION}: no answer within ${timeoutMs} ms`, { cause });
    }
  }

  async function sendRecorded(store: OutboundStore, facts: Facts, send: () => Promise<number>): Promise<MailReceipt> {
    const id = await record(store, facts, { outcome: "intended", status: null, of: null });
    let status: number;
    try {
      status = await send();
    } catch (error) {
      await recordEnd(store, facts, { outcome: "failed", status: null, of: id });
      throw error;
    }
    await recordEnd(store, facts, { outcome: "answered", status, of: id });
    return { outcome: "answered", id };
  }

  return {
    /** Sends it, or records or refuses it as the mode has it. Not inside a transaction. */
    async send({ purpose, timeoutMs, ...letter }: Mail): Promise<MailReceipt> {
      const { mode } = await runtime.truth();
      if (!mailbox) throw new Problem("unavailable", `${DESTINATION}: no mail server is configured`);
      const { server, from } = mailbox;
      const envelope = { from, to: letter.to, message: messageOf({ ...letter, from, at: clock.now() }) };
      const facts = factsOf(server, envelope, purpose, mode);
      const store = await runtime.choose(stores);
      const fate = OUTSIDE.effect[mode];
      switch (fate) {
        case "refused":
          await record(store, facts, { outcome: "refused", status: null, of: null });
          throw new Problem("forbidden", `Runtime mode '${mode}' blocks this change`);
        case "recorded":
          return {
            outcome: "recorded",
            id: await record(store, facts, { outcome: "recorded", status: null, of: null }),
          };
        case "sent":
          return sendRecorded(store, facts, () => deliver(server, envelope, timeoutMs));
        default:
          return fate satisfies never;
      }
    },
  };
}

/** Of the recipients only where their mailboxes are. */
function factsOf({ host, port }: MailServer, { to, message }: Envelope, purpose: string, mode: Mode): Facts {
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
