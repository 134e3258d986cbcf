import type { Clock } from "@kit/clock";
import { Problem } from "@kit/problem";
import type { Effect, OutgoingRequest } from "../../foundation/actions/action.ts";
import type { Dispatch, Receipt } from "../../foundation/outbound/dispatch.ts";
import type { Mail, MailReceipt } from "../../foundation/outbound/mail.service.ts";
import type { Channel } from "./channel.ts";
import { computeSignature, escapeChatText, type Message } from "./message.ts";

export interface SendingDeps {
  outbound: { send(dispatch: Dispatch): Promise<Receipt> };
  mail: { send(mail: Mail): Promise<MailReceipt> };
  clock: Pick<Clock, "now">;
}
export type SendingService = ReturnType<typeof createSendingService>;

export const SEND_TIMEOUT_MS = 15_000;
const SUBJECT_LENGTH = 120;

/** Sends a message to a channel in the format of its kind, through the outbound services. */
export function createSendingService({ outbound, mail, clock }: SendingDeps) {
  async function post(channel: Channel, url: string, body: string, type: string, headers: Record<string, string>) {
    const receipt = await outbound.send({
      kind: "effect",
      destination: channel.kind,
      purpose: `notify a channel of ${type}`,
      method: "POST",
      url,
      headers: { "content-type": "application/json", ...headers },
      body,
      timeoutMs: SEND_TIMEOUT_MS,
    });
    if (receipt.outcome === "recorded") return "recorded" as const;
    const { status } = receipt.answer;
    if (status >= 200 && status < 300) return "sent" as const;
    throw new Problem("unavailable", `${channel.kind}: the receiver answered ${status}`);
  }

  async function write({ settings }: Channel, id: string, { type, text, to = [] }: Message) {
    const receipt = await mail.send({
      purpose: `notify a channel of ${type}`,
      to: [...new Set([...(settings.to ?? []), ...to])],
      subject: Array.from(`[SOC] ${text}`).slice(0, SUBJECT_LENGTH).join(""),
      text,
      // A step's key reduced to the characters that a Message-ID allows.
      id: id.replace(/[^\w.-]/g, "."),
      timeoutMs: SEND_TIMEOUT_MS,
    });
    return receipt.outcome === "recorded" ? ("recorded" as const) : ("sent" as const);
  }

  return {
    /** Sends with the same id at every attempt, so that the receiver can detect repeats. */
    async send(channel: Channel, id: string, message: Message): Promise<"sent" | "recorded"> {
      const { kind } = channel;
      const body = JSON.stringify(buildContent(kind, id, message));
      switch (kind) {
        case "webhook":
          return post(channel, requireSetting(channel, "url"), body, message.type, {
            "idempotency-key": id,
            "x-manara-delivery": id,
            "x-manara-signature": computeSignature(requireSetting(channel, "secret"), body, clock.now()),
          });
        case "chat":
          return post(channel, requireSetting(channel, "url"), body, message.type, {});
        case "email":
          return write(channel, id, message);
        default:
          return kind satisfies never;
      }
    },

    /**
     * Describes the message without secrets. A webhook URL is a secret, so the time of its last change replaces it.
     * Nothing in the description varies, so that the same effect always has the same hash.
     */
    describe(channel: Channel, { type, text, data }: Pick<Message, "type" | "text" | "data">): Effect {
      const { kind, name, settings } = channel;
      const sends: OutgoingRequest =
        kind === "email"
          ? { destination: "mail", method: "MAIL", url: (settings.to ?? []).join(", "), body: text }
          : {
              destination: kind,
              method: "POST",
              url: formatShownUrl(channel),
              body: kind === "chat" ? buildChatBody(text) : { type, text, data },
            };
      return { summary: `Notifies the channel '${name}': ${text}`, sends: [sends] };
    },
  };
}

/** Returns a setting of the channel's kind; a missing one was sealed with another key. */
function requireSetting({ name, settings }: Channel, field: "url" | "secret"): string {
  const value = settings[field];
  if (value !== undefined) return value;
  throw new Problem("unavailable", `channel: the settings of '${name}' cannot be decrypted; set them again`);
}

function formatShownUrl(channel: Channel): string {
  return `${new URL(requireSetting(channel, "url")).origin}/… (since ${channel.address_set_at.toISOString()})`;
}

function buildContent(kind: Channel["kind"], id: string, { to: _, ...message }: Message): object {
  return kind === "chat" ? buildChatBody(message.text) : { id, ...message };
}

function buildChatBody(text: string): object {
  return { text: escapeChatText(text) };
}
