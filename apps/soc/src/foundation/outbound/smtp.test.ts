import { createServer } from "node:net";
import { createClock } from "@kit/clock";
import { afterEach, describe, expect, it } from "vitest";
import { type SmtpServer, type SmtpServerOptions, startSmtpServer } from "../../../testing/servers/smtp-server.ts";
import { type Envelope, type MailServer, sendBySmtp } from "./smtp.ts";

const clock = createClock();
const servers: SmtpServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const ENVELOPE: Envelope = {
  from: "soc@manara.example",
  to: ["hassan.ali@manara.example", "ruth.adler@manara.example"],
  message: "Subject: x\r\n\r\n.\r\n..two\r\nQUIT\r\n.end\r\n",
};
const encode = (text: string) => Buffer.from(text).toString("base64");
const CREDENTIALS = { username: "soc", password: "s3cret" };

async function start(options: SmtpServerOptions = {}) {
  const server = await startSmtpServer(options);
  servers.push(server);
  const { port, ca } = server;
  const send = (given: Partial<MailServer> = {}, envelope: Partial<Envelope> = {}, timeoutMs = 5000) =>
    sendBySmtp(
      { host: "127.0.0.1", port, security: "none", ca, ...given },
      { ...ENVELOPE, ...envelope },
      clock.deadline(timeoutMs),
    );
  return { ...server, send };
}

describe("sendBySmtp", () => {
  it("delivers a mail unchanged, even with lines that begin with dots", async () => {
    const { send, mails } = await start();
    expect(await send()).toBe(250);
    const { from, to, message } = ENVELOPE;
    expect(mails).toEqual([{ from, to, message: `${message}\r\n`, isEncrypted: false }]);
  });

  it("upgrades with STARTTLS before it sends the password and the mail", async () => {
    const { send, mails, commands } = await start({ offersStarttls: true, credentials: CREDENTIALS });
    await send({ security: "starttls", host: "localhost", credentials: CREDENTIALS });
    expect(mails).toMatchObject([{ isEncrypted: true }]);
    expect(commands.map((line) => line.split(/[ :]/)[0])).toEqual(
      ["EHLO", "STARTTLS", "EHLO", "AUTH", "MAIL", "RCPT", "RCPT", "DATA", "QUIT"].slice(0, commands.length),
    );
    expect(commands[3]).toBe(`AUTH PLAIN ${Buffer.from("\0soc\0s3cret").toString("base64")}`);
  });

  it("uses AUTH LOGIN if the server offers no other mechanism", async () => {
    const { send, mails, commands } = await start({ isTls: true, credentials: CREDENTIALS, mechanisms: ["LOGIN"] });
    await send({ security: "tls", host: "localhost", credentials: CREDENTIALS });
    expect(mails).toMatchObject([{ isEncrypted: true }]);
    expect(commands.slice(1, 4)).toEqual(["AUTH LOGIN", encode("soc"), encode("s3cret")]);
  });

  it("encrypts from the start if the server uses implicit TLS", async () => {
    const { send, mails } = await start({ isTls: true });
    await send({ security: "tls" });
    expect(mails).toMatchObject([{ isEncrypted: true }]);
  });
});

describe("sendBySmtp refuses to send", () => {
  it.each<[string, SmtpServerOptions, Partial<MailServer>, RegExp]>([
    ["where STARTTLS is not offered", {}, { security: "starttls" }, /^mail: the server offers no encryption$/],
    [
      "to a server whose certificate is not trusted",
      { offersStarttls: true },
      { security: "starttls", ca: undefined },
      /^mail: the connection failed$/,
    ],
    [
      "to a server whose certificate has another name",
      { isTls: true },
      { security: "tls", host: "127.0.0.2" },
      /^mail: the connection failed$/,
    ],
    [
      "with a wrong password",
      { isTls: true, credentials: CREDENTIALS },
      { security: "tls", credentials: { username: "soc", password: "wrong" } },
      /^mail: the server refused the password with 535$/,
    ],
    [
      "with a password over a plain connection",
      {},
      { credentials: CREDENTIALS },
      /^mail: a password is not sent without encryption$/,
    ],
    [
      "where neither AUTH PLAIN nor AUTH LOGIN is offered",
      { isTls: true },
      { security: "tls", credentials: CREDENTIALS },
      /^mail: the server offers neither AUTH PLAIN nor AUTH LOGIN$/,
    ],
    [
      "with a wrong password by AUTH LOGIN",
      { isTls: true, credentials: CREDENTIALS, mechanisms: ["LOGIN"] },
      { security: "tls", credentials: { username: "soc", password: "wrong" } },
      /^mail: the server refused the password with 535$/,
    ],
    [
      "where one recipient is refused",
      { answers: { "RCPT TO:<ruth": "550 unknown" } },
      {},
      /^mail: the server refused a recipient with 550$/,
    ],
    [
      "where the sender is refused",
      { answers: { MAIL: "451 later" } },
      {},
      /^mail: the server refused the sender with 451$/,
    ],
    ["where the mail is refused", { answers: { ".": "554 spam" } }, {}, /^mail: the server refused the mail with 554$/],
    ["where the server is busy", { greeting: "421 busy" }, {}, /^mail: the server refused the connection with 421$/],
    [
      "to a server that does not speak SMTP",
      { greeting: "HTTP/1.1 400 Bad Request" },
      {},
      /^mail: the server does not speak SMTP$/,
    ],
    [
      "to a server that never ends its line",
      { greeting: `220 ${"x".repeat(5000)}` },
      {},
      /^mail: the server does not speak SMTP$/,
    ],
    [
      "to a server that never ends its reply",
      { answers: { EHLO: "250-more\r\n".repeat(200) } },
      {},
      /^mail: the server does not speak SMTP$/,
    ],
  ])("sends no mail: %s", async (_where, options, given, why) => {
    const { send, mails } = await start(options);
    await expect(send(given)).rejects.toThrow(why);
    expect(mails).toEqual([]);
  });

  it("sends no mail if the server sends data after its reply before TLS begins", async () => {
    const { send, mails } = await start({
      answers: { STARTTLS: "220 go ahead\r\n250 injected" },
      offersStarttls: true,
    });
    await expect(send({ security: "starttls" })).rejects.toThrow("mail: the server sent data before encryption began");
    expect(mails).toEqual([]);
  });

  it.each([["greeting"], ["EHLO"], ["RCPT"], ["."]])(
    "sends no mail to a server that does not respond at %s before the timeout",
    async (where) => {
      const { send } = await start(where === "greeting" ? { greeting: null } : { answers: { [where]: null } });
      const startedMs = clock.monotonicMs();
      await expect(send({}, {}, 200)).rejects.toThrow("mail: the server closed the connection");
      expect(clock.monotonicMs() - startedMs).toBeLessThan(2000);
    },
  );

  it("sends no mail to a port without a listener", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    await new Promise((resolve) => server.close(resolve));
    const port = typeof address === "object" && address ? address.port : 0;
    const sent = sendBySmtp({ host: "127.0.0.1", port, security: "none" }, ENVELOPE, clock.deadline(5000));
    await expect(sent).rejects.toMatchObject({ kind: "unavailable", message: "mail: the connection failed" });
  });
});
