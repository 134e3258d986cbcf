import { readCef } from "./cef.ts";
import { type ReadEvent, readName } from "./event.ts";
import { readLeef } from "./leef.ts";
import { elementsIn } from "./structured-data.ts";
import { parseRfc3164Time } from "./traditional-time.ts";

// RFC 5424, tables 1 and 2; the names are those of syslog.conf.
const FACILITIES = [
  ...["kern", "user", "mail", "daemon", "auth", "syslog", "lpr", "news", "uucp", "cron", "authpriv", "ftp"],
  ...["ntp", "audit", "alert", "clock"],
  ...["local0", "local1", "local2", "local3", "local4", "local5", "local6", "local7"],
];
const SEVERITIES = ["emerg", "alert", "crit", "err", "warning", "notice", "info", "debug"];
// RFC 5424, 6.2.1: without a priority, user.notice is assumed.
const NO_PRIORITY = 13;
const MAX_PRIORITY = 191;

const PRIORITY = /^<(\d{1,3})>/;
const VERSION_1 = /^1 (\S+) (\S+) (\S+) (\S+) (\S+) (?=[-[])/;
const ISO_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)) /;
const HOST = /^([\p{L}\p{N}._:-]+) (?=\S)/u;
const TAG = /^([^\s:[\]]{1,128})(?:\[([^\]\s]{1,128})\])?: ?/;
const BYTE_ORDER_MARK = /^\uFEFF/;

interface SyslogFields {
  [name: string]: unknown;
  message?: string;
}

/** Parses a message of RFC 5424 or RFC 3164. Any other line also becomes an event. */
export function readSyslog(raw: string, arrivedAt: Date): ReadEvent {
  const digits = PRIORITY.exec(raw)?.[1];
  const priority = digits !== undefined && Number(digits) <= MAX_PRIORITY ? Number(digits) : undefined;
  const rest = priority === undefined ? raw : raw.slice((digits?.length ?? 0) + 2);
  const fields = (priority !== undefined && parseRfc5424(rest)) || parseRfc3164(rest, arrivedAt);
  const given = priority ?? NO_PRIORITY;
  const message = fields.message ?? "";
  const inner = readCef(message) ?? readLeef(message);
  const held: SyslogFields = {
    facility: FACILITIES[given >> 3],
    ...(priority !== undefined && { severity: SEVERITIES[given & 7] }),
    ...fields,
    ...inner?.fields,
  };
  const source = inner?.source ?? readName(fields.program);
  return { fields: held, raw, ...(source && { source }) };
}

/** RFC 5424, section 6. Undefined if the line only resembles it, so that nothing of the line is lost. */
function parseRfc5424(text: string): SyslogFields | undefined {
  const header = VERSION_1.exec(text);
  if (!header) return undefined;
  const [all, time, host, program, procid, msgid] = header;
  const read = elementsIn(text.slice(all.length));
  if (!read) return undefined;
  const message = read.rest.replace(BYTE_ORDER_MARK, "");
  return {
    ...present({ timestamp: time, host, program, process: program, procid, msgid }),
    ...(read.elements && { structured_data: read.elements }),
    message,
  };
}

function present(named: SyslogFields): SyslogFields {
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== "-"));
}

/**
 * RFC 3164 as used in practice: the time of section 4.1.2 or an ISO time, then a host, a tag and the content, all
 * optional.
 */
function parseRfc3164(text: string, arrivedAt: Date): SyslogFields {
  const fields: SyslogFields = {};
  let rest = text;
  const iso = ISO_TIME.exec(rest);
  const traditional = iso ? undefined : parseRfc3164Time(rest, arrivedAt);
  if (iso) {
    fields.timestamp = iso[1];
    rest = rest.slice(iso[0].length);
  } else if (traditional) {
    fields.timestamp = traditional.timestamp;
    rest = rest.slice(traditional.length);
  }
  if (fields.timestamp !== undefined) rest = takeHost(rest, fields);
  const tag = TAG.exec(rest);
  // A word before a colon is a program name only after a header: "CEF:0|…" and plain text are content.
  if (tag && fields.timestamp !== undefined && !/^(CEF|LEEF)$/.test(tag[1] ?? "")) {
    fields.program = tag[1];
    fields.process = tag[1];
    if (tag[2] !== undefined) fields.procid = tag[2];
    rest = rest.slice(tag[0].length);
  }
  fields.message = rest.replace(BYTE_ORDER_MARK, "");
  return fields;
}

/** Some senders omit the host and start with the tag, which ends in a colon or a bracket. */
function takeHost(text: string, fields: SyslogFields): string {
  const host = HOST.exec(text);
  if (!host || /[:\]]$/.test(host[1] ?? "")) return text;
  fields.host = host[1];
  return text.slice(host[0].length);
}
