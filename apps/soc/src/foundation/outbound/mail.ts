import { invalidField } from "@kit/problem";
import { isMailAddress } from "../records/mail-address.ts";
import { makeVisible } from "../records/visible-text.ts";
import type { MailServer } from "./smtp.ts";

export interface Mailbox {
  server: MailServer;
  from: string;
}

export interface Letter {
  from: string;
  to: readonly string[];
  subject: string;
  text: string;
  /** Identical at every attempt, so that the receiver can recognise a duplicate. */
  id: string;
  at: Date;
}

const MAX_SUBJECT_LENGTH = 200;
const PLAIN = /^[\x20-\x7e]{0,60}$/;
// A line with an encoded word has at most 76 characters (RFC 2047, section 2); "Subject: =?UTF-8?B??=" takes 21 of them.
const WORD_BYTES = 39;
const LINE = 76;

/** Formats the whole mail (RFC 5322). The text is base64, so every server can transport it as ASCII. */
export function formatMail({ from, to, subject, text, id, at }: Letter): string {
  for (const address of [from, ...to]) {
    if (!isMailAddress(address)) throw invalidField("mail", "an address is not valid");
  }
  if (!/^[\w.-]+$/.test(id)) throw new Error("the id of a mail must consist of letters, digits, dots and dashes");
  const body = Buffer.from(makeVisible(text).replace(/\r?\n/g, "\r\n")).toString("base64");
  return [
    `From: ${from}`,
    `To: ${to.join(",\r\n ")}`,
    `Subject: ${encodeHeaderText(subject)}`,
    `Date: ${at.toUTCString().replace("GMT", "+0000")}`,
    `Message-ID: <${id}@${from.slice(from.lastIndexOf("@") + 1)}>`,
    "Auto-Submitted: auto-generated",
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: base64",
    "",
    ...(body.match(new RegExp(`.{1,${LINE}}`, "g")) ?? []),
    "",
  ].join("\r\n");
}

/** Encodes untrusted text as one header value; it cannot inject a second header. */
function encodeHeaderText(text: string): string {
  const line = Array.from(makeVisible(text.replace(/\p{Cc}+/gu, " ")))
    .slice(0, MAX_SUBJECT_LENGTH)
    .join("");
  if (PLAIN.test(line) && !line.includes("=?")) return line;
  return splitWords(line)
    .map((word) => `=?UTF-8?B?${Buffer.from(word).toString("base64")}?=`)
    .join("\r\n ");
}

/** Splits between characters, because each encoded word is decoded separately. */
function splitWords(line: string): string[] {
  const words = [""];
  for (const character of line) {
    const last = words.at(-1) ?? "";
    if (Buffer.byteLength(last + character) > WORD_BYTES) words.push(character);
    else words[words.length - 1] = last + character;
  }
  return words;
}

const PORTS = { "smtps:": 465, "smtp:": 587 } as const;

/**
 * Parses the operator's mail server: `smtps://` uses TLS from the start, `smtp://` uses STARTTLS; `?tls=off` is for a
 * relay on the same machine and allows no password.
 */
export function parseMailServer(field: string, text: string): MailServer {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const protocol = (["smtps:", "smtp:"] as const).find((each) => each === url?.protocol);
  if (!url || !protocol || url.hostname === "") {
    throw invalidField(field, "must start with smtps:// or smtp:// and a host");
  }
  const isOff = url.searchParams.get("tls") === "off";
  if (isOff && (protocol === "smtps:" || url.username !== "")) {
    throw invalidField(field, "a password is not sent without encryption");
  }
  const [username, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? PORTS[protocol] : Number(url.port),
    security: protocol === "smtps:" ? "tls" : isOff ? "none" : "starttls",
    ...(username !== "" && { credentials: { username, password } }),
  };
}

/** The operator's mail configuration; undefined if there is none. */
export function readMailbox(smtpUrl: string | undefined, from: string | undefined): Mailbox | undefined {
  if (smtpUrl === undefined && from === undefined) return undefined;
  if (smtpUrl === undefined) throw invalidField("SOC_SMTP_URL", "required when SOC_SMTP_FROM is set");
  if (from === undefined || !isMailAddress(from)) throw invalidField("SOC_SMTP_FROM", "must be a mail address");
  return { server: parseMailServer("SOC_SMTP_URL", smtpUrl), from };
}
