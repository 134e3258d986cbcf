import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { TLSSocket } from "node:tls";

const OPENSSL = "openssl";

export interface ReceivedMail {
  from: string;
  to: string[];
  /** The message after removal of dot-stuffing. */
  message: string;
  isEncrypted: boolean;
}

export interface SmtpServerOptions {
  offersStarttls?: boolean;
  /** Implicit TLS, from the first byte. */
  isTls?: boolean;
  credentials?: { username: string; password: string };
  /** The mechanisms that the server offers with credentials. */
  mechanisms?: readonly ("PLAIN" | "LOGIN")[];
  /** Replaces the greeting; null sends nothing. */
  greeting?: string | null;
  /** Replies by the prefix of the client's line, including the final dot of a mail; null sends nothing. */
  answers?: Record<string, string | null>;
}

/** The state of one connection. */
interface Session {
  options: SmtpServerOptions;
  isEncrypted: boolean;
  isGreeted: boolean;
  isKnown: boolean;
  /** What the client of AUTH LOGIN has sent so far; undefined outside of the exchange. */
  login: string[] | undefined;
  /** Whether the lines of a mail are being received. */
  isData: boolean;
  mail: ReceivedMail | undefined;
  mails: ReceivedMail[];
}

let certificate: { key: string; cert: string } | undefined;

/** A self-signed certificate for localhost and 127.0.0.1, created once. */
function createCertificate(): { key: string; cert: string } {
  if (certificate) return certificate;
  const names = "subjectAltName=DNS:localhost,IP:127.0.0.1";
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  const asked = ["req", "-x509", ...curve, "-subj", "/CN=localhost", "-addext", names, "-days", "2"];
  const pem = execFileSync(OPENSSL, [...asked, "-keyout", "-", "-out", "-"], { stdio: "pipe" }).toString();
  const start = pem.indexOf("-----BEGIN CERTIFICATE-----");
  certificate = { key: pem.slice(0, start), cert: pem.slice(start) };
  return certificate;
}

function hello(session: Session): string {
  const { options, isEncrypted } = session;
  session.isGreeted = true;
  const starttls = options.offersStarttls && !isEncrypted ? ["STARTTLS"] : [];
  const { credentials, mechanisms = ["LOGIN", "PLAIN"] } = options;
  const auth = credentials && isEncrypted ? [`AUTH ${mechanisms.join(" ")}`] : [];
  const lines = ["localhost greets you", ...starttls, ...auth];
  return [...lines.map((line) => `250-${line}`), "250 8BITMIME"].join("\r\n");
}

function authenticate(session: Session, mechanism: string, secret = ""): string {
  const { credentials = { username: "", password: "" }, mechanisms = ["LOGIN", "PLAIN"] } = session.options;
  if (!session.isEncrypted) return "538 encryption required";
  if (!mechanisms.some((each) => each === mechanism)) return "504 unknown mechanism";
  if (mechanism === "LOGIN") {
    session.login = [];
    return `334 ${encode("Username:")}`;
  }
  return admit(session, decode(secret) === `\0${credentials.username}\0${credentials.password}`);
}

/** The two lines of a client that has begun AUTH LOGIN. */
function takeLogin(session: Session, login: string[], line: string): string {
  login.push(decode(line));
  if (login.length < 2) return `334 ${encode("Password:")}`;
  session.login = undefined;
  const { username, password } = session.options.credentials ?? { username: "", password: "" };
  return admit(session, login[0] === username && login[1] === password);
}

function admit(session: Session, isKnown: boolean): string {
  session.isKnown = isKnown;
  return isKnown ? "235 welcome" : "535 no";
}

function encode(text: string): string {
  return Buffer.from(text).toString("base64");
}

function decode(text: string): string {
  return Buffer.from(text, "base64").toString();
}

/** Handles MAIL, RCPT and DATA in their order. */
function takeMail(session: Session, line: string): string {
  const { isEncrypted, mail } = session;
  const [, from] = /^MAIL FROM:<([^<>\s]+)>$/.exec(line) ?? [];
  const [, to] = /^RCPT TO:<([^<>\s]+)>$/.exec(line) ?? [];
  if (from !== undefined) session.mail = { from, to: [], message: "", isEncrypted };
  else if (to !== undefined && mail) mail.to.push(to);
  else if (line === "DATA" && mail && mail.to.length > 0) session.isData = true;
  else return "503 what";
  return session.isData ? "354 go on" : "250 ok";
}

function answerTo(session: Session, line: string): string {
  if (/^EHLO \S+$/.test(line)) return hello(session);
  if (!session.isGreeted) return "503 greet me first";
  if (session.login) return takeLogin(session, session.login, line);
  const [, mechanism, secret] = /^AUTH (\S+)(?: (\S+))?$/.exec(line) ?? [];
  if (mechanism !== undefined) return authenticate(session, mechanism, secret);
  return session.isKnown ? takeMail(session, line) : "530 who are you";
}

/** Undefined until the end of the mail. */
function takeLine(session: Session, line: string): string | undefined {
  const { mail, mails } = session;
  if (line === ".") {
    session.isData = false;
    if (mail && session.options.answers?.["."] === undefined) mails.push(mail);
    return "250 taken";
  }
  if (mail) mail.message += `${line.replace(/^\./, "")}\r\n`;
  return undefined;
}

/** A mail server that accepts only valid commands of RFC 5321 in order, and refuses all others. */
export async function startSmtpServer(options: SmtpServerOptions = {}) {
  const mails: ReceivedMail[] = [];
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  const { answers = {}, greeting = "220 localhost ESMTP" } = options;
  const pem = options.offersStarttls || options.isTls ? createCertificate() : undefined;
  let connections = 0;

  function serve(raw: Socket): void {
    connections += 1;
    sockets.add(raw);
    raw.on("close", () => sockets.delete(raw));
    const isKnown = options.credentials === undefined;
    const known = { isEncrypted: false, isGreeted: false, isData: false, isKnown };
    const session: Session = { ...known, options, login: undefined, mail: undefined, mails };
    let socket: Socket = raw;
    let rest = "";

    function listen(given: Socket): void {
      socket = given;
      socket.on("error", () => undefined);
      socket.on("data", onData);
    }

    function encrypt(): void {
      raw.removeListener("data", onData);
      session.isEncrypted = true;
      session.isGreeted = false;
      listen(new TLSSocket(raw, { isServer: true, ...pem }));
    }

    function replyTo(line: string): string | null | undefined {
      if (!session.isData) commands.push(line);
      const usual = session.isData ? takeLine(session, line) : answerTo(session, line);
      const given = Object.entries(answers).find(([start]) => line.startsWith(start));
      return given && usual !== undefined ? given[1] : usual;
    }

    function onLine(line: string): void {
      const isUpgrade = line === "STARTTLS" && options.offersStarttls && !session.isEncrypted && !session.isData;
      if (isUpgrade && !("STARTTLS" in answers)) {
        commands.push(line);
        socket.write("220 go ahead\r\n");
        encrypt();
        return;
      }
      const reply = line === "QUIT" && !session.isData ? "221 bye" : replyTo(line);
      if (typeof reply === "string") socket.write(`${reply}\r\n`);
    }

    function onData(bytes: Buffer): void {
      rest += bytes.toString("latin1");
      for (let end = rest.indexOf("\r\n"); end >= 0; end = rest.indexOf("\r\n")) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        // A lone line feed does not end a line; a server that accepts it is open to SMTP smuggling.
        if (/[\r\n]/.test(line) || line.length > 998) socket.destroy();
        else onLine(line);
      }
    }

    if (options.isTls) encrypt();
    else listen(raw);
    if (greeting !== null) socket.write(`${greeting}\r\n`);
  }

  const server = createServer(serve);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    ca: pem ? [pem.cert] : undefined,
    mails,
    commands,
    connections: () => connections,
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
export type SmtpServer = Awaited<ReturnType<typeof startSmtpServer>>;
