import { describe, expect, it } from "vitest";
import { isMailAddress } from "../records/mail-address.ts";
import { formatMail, type Letter, parseMailServer } from "./mail.ts";

const LETTER: Letter = {
  from: "soc@manara.example",
  to: ["hassan.ali@manara.example", "ruth.adler@manara.example"],
  subject: "Approval needed",
  text: "Isolates WS-0142",
  id: "0197f000-0000-7000-8000-000000000001",
  at: new Date("2026-11-15T13:00:00Z"),
};

function readHeaders(letter: Partial<Letter>): string[] {
  const [head = ""] = formatMail({ ...LETTER, ...letter }).split("\r\n\r\n");
  return head.split("\r\n");
}

describe("formatMail", () => {
  it("writes the headers of RFC 5322 and the text as base64", () => {
    expect(formatMail(LETTER)).toBe(
      [
        "From: soc@manara.example",
        "To: hassan.ali@manara.example,",
        " ruth.adler@manara.example",
        "Subject: Approval needed",
        "Date: Sun, 15 Nov 2026 13:00:00 +0000",
        "Message-ID: <0197f000-0000-7000-8000-000000000001@manara.example>",
        "Auto-Submitted: auto-generated",
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: base64",
        "",
        "SXNvbGF0ZXMgV1MtMDE0Mg==",
        "",
      ].join("\r\n"),
    );
  });

  it("prevents a subject from adding a header or a recipient", () => {
    const headers = readHeaders({ subject: "Hello\r\nBcc: thief@evil.example\r\n\r\nbody" });
    expect(headers.filter((line) => /^bcc:/i.test(line))).toEqual([]);
    expect(headers).toContain("Subject: Hello Bcc: thief@evil.example body");
  });

  it("shows characters that change the direction of a text, in the subject and in the text", () => {
    const mail = formatMail({ ...LETTER, subject: "invoice\u202egnp.exe", text: "see \u202egnp.exe\u001b[0m" });
    expect(mail).toContain("Subject: invoice[U+202E]gnp.exe");
    expect(mail).toContain(Buffer.from("see [U+202E]gnp.exe[U+001B][0m").toString("base64"));
  });

  it.each(["منارة: موافقة مطلوبة", "=?UTF-8?Q?forged?=", "é".repeat(150)])(
    "encodes the subject %s as encoded words",
    (subject) => {
      const message = formatMail({ ...LETTER, subject });
      const words = /Subject: ([\s\S]*?)\r\nDate/.exec(message)?.[1]?.split("\r\n ") ?? [];
      expect(words.every((word) => word.length <= 75)).toBe(true);
      const decoded = words.map((word) =>
        Buffer.from(/^=\?UTF-8\?B\?(.*)\?=$/.exec(word)?.[1] ?? "", "base64").toString(),
      );
      expect(decoded.join("")).toBe(subject);
      expect(decoded.join("")).not.toContain("\ufffd");
    },
  );

  it("keeps every line within the length limit of servers", () => {
    const lines = formatMail({ ...LETTER, text: "x".repeat(10_000), subject: "long ".repeat(100) }).split("\r\n");
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(76);
  });

  it("refuses an address that contains more than an address", () => {
    const wrong = [
      "a@b.example\r\nDATA",
      "a@b.example> SIZE=1",
      "<a@b.example>",
      '"a b"@b.example',
      "a@b..example",
      "é@b.example",
    ];
    for (const address of [...wrong, "a@-b.example", "@b.example", "a", `${"a".repeat(65)}@b.example`]) {
      expect(isMailAddress(address)).toBe(false);
      expect(() => formatMail({ ...LETTER, to: [address] })).toThrow("mail: an address is not valid");
    }
    expect(isMailAddress("o'hara+soc@manara.example")).toBe(true);
  });
});

describe("parseMailServer", () => {
  it.each([
    ["smtps://mail.example", { host: "mail.example", port: 465, security: "tls" }],
    ["smtp://mail.example:2525", { host: "mail.example", port: 2525, security: "starttls" }],
    ["smtp://127.0.0.1:25?tls=off", { host: "127.0.0.1", port: 25, security: "none" }],
    ["smtp://[::1]:25", { host: "::1", port: 25, security: "starttls" }],
    [
      "smtps://soc%40manara.example:p%3Ass@mail.example",
      {
        host: "mail.example",
        port: 465,
        security: "tls",
        credentials: { username: "soc@manara.example", password: "p:ss" },
      },
    ],
  ])("parses %s", (text, server) => {
    expect(parseMailServer("SOC_SMTP_URL", text)).toEqual(server);
  });

  it.each([
    ["https://mail.example", /^SOC_SMTP_URL: must start with/],
    ["mail.example", /^SOC_SMTP_URL: must start with/],
    ["smtp://", /^SOC_SMTP_URL: must start with/],
    ["smtp://a:s3cret@mail.example?tls=off", /^SOC_SMTP_URL: a password is not sent without encryption$/],
  ])("refuses %s with an error that does not quote it", (text, why) => {
    expect(() => parseMailServer("SOC_SMTP_URL", text)).toThrow(why);
  });
});
