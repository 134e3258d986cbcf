import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readSyslog } from "./syslog-message.ts";

const ARRIVED = new Date("2026-11-15T10:00:00.000Z");
const parseFields = (raw: string) => readSyslog(raw, ARRIVED).fields;

describe("the parser of RFC 5424 (section 6.5)", () => {
  it("parses example 1, with no structured data", () => {
    const raw =
      "<34>1 2003-10-11T22:14:15.003Z mymachine.example.com su - ID47 - \uFEFF'su root' failed for lonvick on /dev/pts/8";
    expect(readSyslog(raw, ARRIVED)).toEqual({
      raw,
      source: "su",
      fields: {
        facility: "auth",
        severity: "crit",
        timestamp: "2003-10-11T22:14:15.003Z",
        host: "mymachine.example.com",
        program: "su",
        process: "su",
        msgid: "ID47",
        message: "'su root' failed for lonvick on /dev/pts/8",
      },
    });
  });

  it("parses example 2, with a zone and a process id", () => {
    expect(
      parseFields(
        "<165>1 2003-08-24T05:14:15.000003-07:00 192.0.2.1 myproc 8710 - - %% It's time to make the do-nuts.",
      ),
    ).toMatchObject({
      facility: "local4",
      severity: "notice",
      timestamp: "2003-08-24T05:14:15.000003-07:00",
      host: "192.0.2.1",
      program: "myproc",
      procid: "8710",
      message: "%% It's time to make the do-nuts.",
    });
  });

  it("parses examples 3 and 4, with structured data and with no message after it", () => {
    const element = '[exampleSDID@32473 iut="3" eventSource="Application" eventID="1011"]';
    const start = "<165>1 2003-10-11T22:14:15.003Z mymachine.example.com evntslog - ID47 ";
    const example = { iut: "3", eventSource: "Application", eventID: "1011" };
    expect(parseFields(`${start}${element} \uFEFFAn application event log entry...`)).toMatchObject({
      structured_data: { "exampleSDID@32473": example },
      message: "An application event log entry...",
    });
    expect(parseFields(`${start}${element}[examplePriority@32473 class="high"]`)).toMatchObject({
      structured_data: { "exampleSDID@32473": example, "examplePriority@32473": { class: "high" } },
      message: "",
    });
  });

  it("unescapes values, keeps other backslashes and keeps both values of a repeated name", () => {
    expect(parseFields('<13>1 - - - - - [a@1 x="q\\"b\\\\s\\]e\\n" ip="192.0.2.1" ip="192.0.2.129"] m')).toMatchObject({
      structured_data: { "a@1": { x: 'q"b\\s]e\\n', ip: ["192.0.2.1", "192.0.2.129"] } },
      message: "m",
    });
  });

  it.each([
    ['<13>1 - - - - - [a@1 x="y'],
    ["<13>1 - - - - - [a@1 x=y] m"],
    ["<13>1 2003-10-11T22:14:15.003Z host app"],
  ])("keeps the whole text of a message that only looks like RFC 5424: %s", (raw) => {
    expect(parseFields(raw)).toMatchObject({ message: raw.slice("<13>".length) });
  });
});

describe("the parser of RFC 3164 (section 5.4) and its variants", () => {
  it.each([
    [
      "example 1",
      "<34>Oct 11 22:14:15 mymachine su: 'su root' failed for lonvick on /dev/pts/8",
      {
        timestamp: "2026-10-11T22:14:15.000",
        host: "mymachine",
        program: "su",
        message: "'su root' failed for lonvick on /dev/pts/8",
      },
    ],
    [
      "example 2, without a header",
      "<13>Use the BFG!",
      { message: "Use the BFG!", severity: "notice", facility: "user" },
    ],
    [
      "a tag with a process id",
      "<38>Nov  5 07:08:09 web-1 sshd[4721]: Accepted publickey for noor",
      { timestamp: "2026-11-05T07:08:09.000", host: "web-1", program: "sshd", process: "sshd", procid: "4721" },
    ],
    ["a day of last year", "<13>Dec 31 23:59:59 h p: m", { timestamp: "2025-12-31T23:59:59.000" }],
    ["a clock that is slightly ahead", "<13>Nov 15 18:00:00 h p: m", { timestamp: "2026-11-15T18:00:00.000" }],
    [
      "an ISO time",
      "<13>2026-11-15T09:59:58.123+03:00 h p[1]: m",
      { timestamp: "2026-11-15T09:59:58.123+03:00", host: "h", program: "p" },
    ],
    ["no host", "<13>Nov 15 09:00:00 cron[7]: done", { program: "cron", procid: "7", message: "done" }],
    ["an invalid month", "<13>Foo 15 09:00:00 h p: m", { message: "Foo 15 09:00:00 h p: m" }],
    ["no priority at all", "just words: here", { message: "just words: here", facility: "user" }],
    ["an invalid priority", "<192>m", { message: "<192>m" }],
  ])("parses %s", (_what, raw, fields) => {
    expect(parseFields(raw)).toMatchObject(fields);
  });

  it("sets no severity without a priority", () => {
    expect(parseFields("plain")).not.toHaveProperty("severity");
  });
});

describe("the parser of CEF", () => {
  it("parses the example of the standard inside a syslog message", () => {
    const raw =
      "<134>Sep 19 08:26:10 host CEF:0|Security|threatmanager|1.0|100|worm successfully stopped|10|src=10.0.0.1 dst=2.1.2.2 spt=1232";
    const { fields, source } = readSyslog(raw, ARRIVED);
    expect(source).toBe("Security threatmanager");
    expect(fields).toMatchObject({
      host: "host",
      event_code: "100",
      name: "worm successfully stopped",
      message: "worm successfully stopped",
      severity: "critical",
      src_ip: "10.0.0.1",
      dst_ip: "2.1.2.2",
      src_port: "1232",
      timestamp: "2026-09-19T08:26:10.000",
    });
  });

  it.each([
    [
      "a pipe in the header",
      "CEF:0|security|threatmanager|1.0|100|detected a \\| in message|10|src=10.0.0.1 act=blocked a |",
      { name: "detected a | in message", action: "blocked a |" },
    ],
    [
      "a backslash in the header",
      "CEF:0|security|threatmanager|1.0|100|detected a \\\\ in packet|10|",
      { name: "detected a \\ in packet" },
    ],
    [
      "an equals sign",
      "CEF:0|security|threatmanager|1.0|100|n|10|act=blocked a \\= dst=1.1.1.1",
      { action: "blocked a =", dst_ip: "1.1.1.1" },
    ],
    [
      "several lines",
      "CEF:0|security|threatmanager|1.0|100|n|10|msg=Detected a threat.\\nNo action needed.",
      { message: "Detected a threat.\nNo action needed." },
    ],
    [
      "a label",
      "CEF:0|v|p|1|1|n|3|cs1=Allow all cs1Label=Policy Name suser=noor duser=admin",
      { cs1: "Allow all", "Policy Name": "Allow all", user: "noor", severity: "low" },
    ],
    [
      "a receipt time",
      "CEF:0|v|p|1|1|n|Very-High|rt=1426279439123",
      { timestamp: 1_426_279_439_123, severity: "critical" },
    ],
    ["no extension", "CEF:0|v|p|1|1|n|7", { name: "n", severity: "high" }],
  ])("parses %s", (_what, message, fields) => {
    expect(parseFields(`<134>1 - - - - - - ${message}`)).toMatchObject(fields);
  });

  it("keeps a header that is too short as a plain message", () => {
    expect(parseFields("<134>CEF:0|v|p|1|")).toMatchObject({ message: "CEF:0|v|p|1|" });
  });
});

describe("the parser of LEEF", () => {
  it("parses version 1.0 with tabs", () => {
    // IBM, "LEEF event components".
    const raw =
      "<13>Jan 18 11:07:53 192.168.1.1 LEEF:1.0|QRadar|QRM|1.0|NEW_PORT_DISCOVERD|src=172.5.6.67\tdst=172.50.123.1\tsev=5\tcat=anomaly\tmsg=there are spaces in this message";
    const { fields, source } = readSyslog(raw, ARRIVED);
    expect(source).toBe("QRadar QRM");
    expect(fields).toMatchObject({
      host: "192.168.1.1",
      event_code: "NEW_PORT_DISCOVERD",
      src_ip: "172.5.6.67",
      dst_ip: "172.50.123.1",
      severity: "medium",
      action: "anomaly",
      message: "there are spaces in this message",
    });
  });

  it.each([
    [
      "a named separator",
      "LEEF:2.0|Lancope|StealthWatch|1.0|41|^|src=10.0.1.8^dst=10.0.0.5^srcPort=81^usrName=joe.black",
      { src_ip: "10.0.1.8", dst_ip: "10.0.0.5", src_port: "81", user: "joe.black" },
    ],
    [
      "a separator as a number",
      "LEEF:2.0|Lancope|StealthWatch|1.0|41|x5E|src=10.0.1.8^sev=9",
      { src_ip: "10.0.1.8", severity: "critical" },
    ],
    ["no separator", "LEEF:2.0|v|p|1|id||src=10.0.1.8\tdst=10.0.0.5", { src_ip: "10.0.1.8", dst_ip: "10.0.0.5" }],
  ])("parses version 2.0 with %s", (_what, message, fields) => {
    expect(parseFields(`<13>1 - - - - - - ${message}`)).toMatchObject(fields);
  });
});

it("never throws, keeps the original line and always sets a message", () => {
  const pieces = fc.constantFrom(
    "<13>",
    "<999>",
    "1 ",
    "- ",
    "[a@1 ",
    'x="y"',
    "]",
    "\\",
    "|",
    "=",
    "CEF:0|",
    "LEEF:2.0|",
    "Nov 15 09:00:00 ",
    "host ",
    "su[1]: ",
    "\uFEFF",
    "\t",
    "é",
    "__proto__=",
    "\0",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
      const raw = parts.join("");
      const event = readSyslog(raw, ARRIVED);
      expect(event.raw).toBe(raw);
      expect(typeof event.fields.message).toBe("string");
    }),
    { numRuns: 5000 },
  );
});
