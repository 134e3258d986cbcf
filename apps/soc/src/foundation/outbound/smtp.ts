import { connect as connectTcp, isIP, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { invalidField, Problem } from "@kit/problem";
import { createReplies, type Replies, type Reply } from "./smtp-replies.ts";

export interface MailServer {
  host: string;
  port: number;
  /** `starttls` is mandatory: if the server does not offer it, nothing is sent. */
  security: "tls" | "starttls" | "none";
  /** Never sent over an unencrypted connection. */
  credentials?: { username: string; password: string } | undefined;
  /** Certificates (PEM) to trust instead of the well-known authorities. */
  ca?: readonly string[] | undefined;
}

/** `lookup` resolves the addresses of the host. */
type ReachableServer = MailServer & { lookup?: LookupFunction };

export interface Envelope {
  from: string;
  /** All or none: if the server refuses one recipient, the mail is not sent. */
  to: readonly string[];
  /** Lines end with CR LF. */
  message: string;
}

interface Dialogue {
  socket: Socket;
  replies: Replies;
}

const FIELD = "mail";

/**
 * Delivers one mail to the server (RFC 5321) and returns the code of its last reply. An abort ends the exchange
 * immediately.
 */
export async function sendBySmtp(server: ReachableServer, envelope: Envelope, signal: AbortSignal): Promise<number> {
  signal.throwIfAborted();
  const sockets: Socket[] = [];
  const end = () => {
    for (const socket of sockets) socket.destroy();
  };
  signal.addEventListener("abort", end, { once: true });
  try {
    return await converse(server, envelope, (socket) => {
      sockets.push(socket);
      return { socket, replies: createReplies(socket, FIELD) };
    });
  } finally {
    signal.removeEventListener("abort", end);
    end();
  }
}

async function converse(server: ReachableServer, { from, to, message }: Envelope, open: (socket: Socket) => Dialogue) {
  const dialogue = await greet(server, open);
  await command(dialogue, `MAIL FROM:<${from}>`, "the sender", [250]);
  for (const recipient of to) await command(dialogue, `RCPT TO:<${recipient}>`, "a recipient", [250, 251]);
  await command(dialogue, "DATA", "the mail", [354]);
  const { code } = await command(dialogue, `${escapeDots(message)}\r\n.`, "the mail", [250]);
  // The server has accepted the mail, so a failure of QUIT does not matter.
  dialogue.socket.end("QUIT\r\n");
  return code;
}

async function greet(server: ReachableServer, open: (socket: Socket) => Dialogue): Promise<Dialogue> {
  const { host, port, security, credentials, lookup } = server;
  const place = { port, ...(lookup && { lookup }) };
  const plain = open(security === "tls" ? connectTls(buildTlsOptions(server, place)) : connectTcp({ host, ...place }));
  requireCode(await plain.replies.next(), "the connection", [220]);
  const offered = await sendHello(plain);
  const dialogue = security === "starttls" ? await encrypt(server, plain, offered, open) : plain;
  const offers = dialogue === plain ? offered : await sendHello(dialogue);
  if (credentials) await authenticate(dialogue, offers, server);
  return dialogue;
}

/** Returns the extensions of the server, by keyword. */
async function sendHello(dialogue: Dialogue): Promise<Map<string, readonly string[]>> {
  const { lines } = await command(dialogue, `EHLO ${formatOwnName(dialogue.socket)}`, "the greeting", [250]);
  const words = lines.slice(1).map((line) => line.toUpperCase().split(" "));
  return new Map(words.map(([keyword = "", ...rest]) => [keyword, rest]));
}

/** RFC 5321, section 4.1.3: a client without a domain name sends its address. */
function formatOwnName({ localAddress = "127.0.0.1" }: Socket): string {
  return isIP(localAddress) === 6 ? `[IPv6:${localAddress}]` : `[${localAddress}]`;
}

async function encrypt(
  server: MailServer,
  plain: Dialogue,
  offered: ReadonlyMap<string, unknown>,
  open: (socket: Socket) => Dialogue,
): Promise<Dialogue> {
  if (!offered.has("STARTTLS")) throw new Problem("unavailable", `${FIELD}: the server offers no encryption`);
  await command(plain, "STARTTLS", "encryption", [220]);
  // Data that an attacker appended to this plain-text reply would be read as if it came over TLS (STARTTLS injection).
  if (!plain.replies.release())
    throw new Problem("unavailable", `${FIELD}: the server sent data before encryption began`);
  return open(connectTls(buildTlsOptions(server, { socket: plain.socket })));
}

function buildTlsOptions(
  { host, ca }: MailServer,
  over: { port: number; lookup?: LookupFunction } | { socket: Socket },
) {
  return {
    ...over,
    host,
    ...(isIP(host) === 0 && { servername: host }),
    ...(ca && { ca: [...ca] }),
    minVersion: "TLSv1.2",
    // Set explicitly, because an environment variable could change the default.
    rejectUnauthorized: true,
  } as const;
}

async function authenticate(
  dialogue: Dialogue,
  offers: ReadonlyMap<string, readonly string[]>,
  { credentials, security }: MailServer,
): Promise<void> {
  if (!credentials) return;
  if (security === "none") throw invalidField(FIELD, "a password is not sent without encryption");
  const { username, password } = credentials;
  const mechanisms = offers.get("AUTH") ?? [];
  if (mechanisms.includes("PLAIN")) {
    await command(dialogue, `AUTH PLAIN ${encode(`\0${username}\0${password}`)}`, "the password", [235]);
  } else if (mechanisms.includes("LOGIN")) {
    // No RFC defines it, but some servers, such as Microsoft 365, offer no other mechanism for passwords.
    await command(dialogue, "AUTH LOGIN", "AUTH LOGIN", [334]);
    await command(dialogue, encode(username), "the username", [334]);
    await command(dialogue, encode(password), "the password", [235]);
  } else {
    throw new Problem("unavailable", `${FIELD}: the server offers neither AUTH PLAIN nor AUTH LOGIN`);
  }
}

function encode(text: string): string {
  return Buffer.from(text).toString("base64");
}

async function command({ socket, replies }: Dialogue, line: string, what: string, accepted: readonly number[]) {
  socket.write(`${line}\r\n`);
  return requireCode(await replies.next(), what, accepted);
}

function requireCode(reply: Reply, what: string, accepted: readonly number[]): Reply {
  const { code } = reply;
  if (accepted.includes(code)) return reply;
  // Permanent: a retry does not help if a mailbox does not exist. Other failures, such as a wrong password, may be
  // fixed before the retry.
  const isFinal = code >= 500 && /^(the sender|a recipient|the mail)$/.test(what);
  throw new Problem(isFinal ? "invalid" : "unavailable", `${FIELD}: the server refused ${what} with ${code}`);
}

/** RFC 5321, section 4.5.2 (dot-stuffing): a leading dot is doubled, so that the line does not end the mail. */
function escapeDots(message: string): string {
  return message.replace(/(^|\r\n)\./g, "$1..");
}
