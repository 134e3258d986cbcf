import { refang } from "../../../app/text/defang.ts";

/** Names with such an ending are usually files. They count as domains only if they were defanged. */
const FILE_ENDS = new Set(
  "exe dll sys ps1 psm1 bat cmd vbs js jse wsf hta lnk scr msi jar py sh txt log csv pdf doc docm docx xls xlsm xlsx ppt pptx rtf zip rar gz tar iso img png jpg gif json xml yml yaml html htm php asp aspx dat tmp bin ini cfg conf".split(
    " ",
  ),
);

/** Separators between the values of a report, a mail or a table. */
const SEPARATORS = /[\s"'`<>|,;\\^]+|\u2019|\u201c|\u201d/u;
const OPENING = /^[([{*=-]+/;
const CLOSING = /[.:!?)\]}*]+$/;
const SCHEME = /(?:https?|ftp):\/\//i;
const HASH = /^(?:[a-f\d]{32}|[a-f\d]{40}|[a-f\d]{64})$/i;
const IPV4 = /^(?:\d{1,3}\.){3}\d{1,3}(?:\/\d{1,2})?$/;
const IPV6 = /^(?=(?:[^:]*:){2})[\da-f:.]+(?:\/\d{1,3})?$/i;
const MAIL = /^[\w.!#$%&*+/=?^`{|}~-]+@(?:[\p{L}\d-]+\.)+[\p{L}\d-]{2,}$/u;
const DOMAIN = /^(?:[\p{L}\d_](?:[\p{L}\d_-]{0,61}[\p{L}\d_])?\.)+(?:\p{L}{2,63}|xn--[a-z\d-]+)$/u;

/** Every address, domain, URL, hash and mail address of a text, refanged, without duplicates, in order. */
export function findIndicators(text: string): string[] {
  const found = new Map<string, string>();
  for (const token of text.split(SEPARATORS)) {
    const value = readToken(token);
    if (value !== undefined && !found.has(value.toLowerCase())) found.set(value.toLowerCase(), value);
  }
  return [...found.values()];
}

function readToken(token: string): string | undefined {
  const plain = refang(token);
  const isDefanged = plain !== token;
  const scheme = plain.search(SCHEME);
  if (scheme !== -1) return plain.slice(scheme).replace(CLOSING, "");
  const bare = plain.replace(OPENING, "").replace(CLOSING, "");
  // `sha256:9f…`, `C2=evil.example`: a label before the value.
  const labelled = /^[\w-]{1,20}[=:](?!:)(.+)$/.exec(bare)?.[1] ?? bare;
  return [bare, labelled, withoutPort(bare), withoutPort(labelled)].find((each) => isIndicator(each, isDefanged));
}

function withoutPort(value: string): string {
  return value.replace(/:\d{1,5}(?:\/.*)?$/, "");
}

function isIndicator(value: string, isDefanged: boolean): boolean {
  if (HASH.test(value) || MAIL.test(value)) return true;
  if (IPV4.test(value))
    return value
      .split(/[./]/)
      .slice(0, 4)
      .every((part) => Number(part) <= 255);
  if (IPV6.test(value)) return /[\da-f]/i.test(value) && !/^\d{1,2}:\d{2}:\d{2}/.test(value);
  if (!DOMAIN.test(value)) return false;
  const end = value.slice(value.lastIndexOf(".") + 1).toLowerCase();
  return isDefanged || !FILE_ENDS.has(end);
}
