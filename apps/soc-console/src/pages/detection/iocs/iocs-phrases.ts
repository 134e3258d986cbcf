import type { PluralForms } from "../../../app/language/numbers.ts";
import type { Translations } from "../../../app/language/translations.ts";
import { iocsArabic } from "./iocs-arabic.ts";
import type { CheckState, ExchangeFormat, IocSeverity, IocTlp, IocType } from "./iocs-client.ts";

export interface IocsPhrases {
  title: string;
  indicator: string;
  search: string;
  searchHint: string;
  type: string;
  anyType: string;
  types: Readonly<Record<IocType, string>>;
  severity: string;
  anySeverity: string;
  severities: Readonly<Record<IocSeverity, string>>;
  state: string;
  anyState: string;
  states: { active: string; ended: string };
  value: string;
  tlp: string;
  tlps: Readonly<Record<IocTlp, string>>;
  confidence: string;
  firstSeen: string;
  lastSeen: string;
  hits: string;
  ends: string;
  noEnd: string;
  inDays: PluralForms;
  source: string;
  tags: string;
  tagsHint: string;
  paste: string;
  pasteHint: string;
  nothingFound: string;
  found: PluralForms;
  foundList: string;
  checked: Readonly<Record<CheckState, PluralForms>>;
  checkStates: Readonly<Record<CheckState, string>>;
  /** `{count}` */
  onlyFirst: string;
  alsoWarned: string;
  add: PluralForms;
  previewAdd: PluralForms;
  added: PluralForms;
  import: string;
  previewImport: string;
  importTitle: string;
  importText: string;
  file: string;
  created: PluralForms;
  merged: PluralForms;
  refused: PluralForms;
  refusedList: string;
  export: string;
  exportHint: string;
  formats: Readonly<Record<ExchangeFormat, string>>;
  copyPlain: string;
  copyDefanged: string;
  copiedPlain: string;
  copiedDefanged: string;
  hunt: string;
  changeEnd: string;
  endText: string;
  endNow: string;
  lastDay: string;
  save: string;
  previewSave: string;
  remove: string;
  previewRemove: string;
  removeTitle: string;
  removeText: string;
  close: string;
  hitsInLogs: string;
  noHits: string;
  notSearched: string;
  /** `{time}` */
  searched: string;
  /** `{time}` */
  searchedCapped: string;
  /** `{shown}`, `{total}` */
  firstOf: string;
  allInHunt: string;
  alerts: string;
  noAlerts: string;
  empty: string;
  emptyText: string;
}

const english: IocsPhrases = {
  title: "Indicators",
  indicator: "Indicator",
  search: "Find an indicator",
  searchHint: "Part of a value, at least 3 characters",
  type: "Type",
  anyType: "Any type",
  types: {
    ipv4: "IPv4",
    ipv6: "IPv6",
    cidr: "Network",
    domain: "Domain",
    url: "URL",
    email: "Mail",
    md5: "MD5",
    sha1: "SHA-1",
    sha256: "SHA-256",
  },
  severity: "Severity",
  anySeverity: "Any severity",
  severities: { critical: "Critical", high: "High", medium: "Medium", low: "Low", info: "Info" },
  state: "State",
  anyState: "Active and ended",
  states: { active: "Active", ended: "Ended" },
  value: "Value, defanged",
  tlp: "TLP",
  tlps: { clear: "CLEAR", green: "GREEN", amber: "AMBER", "amber+strict": "AMBER+STRICT", red: "RED" },
  confidence: "Confidence",
  firstSeen: "First seen",
  lastSeen: "Last seen",
  hits: "Hits",
  ends: "Ends",
  noEnd: "No end",
  inDays: { one: "In # day", other: "In # days" },
  source: "Source",
  tags: "Tags",
  tagsHint: "c2, phishing",
  paste: "Paste indicators",
  pasteHint: "Paste anything: a report, a mail, a list. hxxp and [.] are undone.",
  nothingFound: "There is no address, domain, URL, hash or mail address in it.",
  found: { one: "# found:", other: "# found:" },
  foundList: "Found values",
  checked: {
    new: { one: "# new", other: "# new" },
    known: { one: "# known", other: "# known" },
    warned: { one: "# on a warning list", other: "# on a warning list" },
    refused: { one: "# refused", other: "# refused" },
  },
  checkStates: { new: "new", known: "known", warned: "warning list", refused: "refused" },
  onlyFirst: "only the first {count} are taken at a time",
  alsoWarned: "Also store what is on a warning list",
  add: { one: "Add #", other: "Add #" },
  previewAdd: { one: "Preview adding #", other: "Preview adding #" },
  added: { one: "# indicator was added.", other: "# indicators were added." },
  import: "Import",
  previewImport: "Preview the import",
  importTitle: "Import indicators",
  importText: "A STIX 2.1 bundle, or MISP events or attributes: at most 10,000 objects and 32 MiB.",
  file: "File",
  created: { one: "# created", other: "# created" },
  merged: { one: "# merged with a known one", other: "# merged with known ones" },
  refused: { one: "# refused", other: "# refused" },
  refusedList: "What was refused, and why",
  export: "Export",
  exportHint: "What the list shows",
  formats: { stix: "STIX 2.1 bundle", misp: "MISP event" },
  copyPlain: "Copy",
  copyDefanged: "Copy defanged",
  copiedPlain: "Copied as it is.",
  copiedDefanged: "Copied defanged.",
  hunt: "Hunt",
  changeEnd: "Change the end",
  endText: "After its end it is no longer searched for. The end may be brought forward.",
  endNow: "End now",
  lastDay: "Last day (UTC)",
  save: "Save",
  previewSave: "Preview",
  remove: "Remove",
  previewRemove: "Preview the removal",
  removeTitle: "Remove this indicator?",
  removeText: "Its hits are removed with it. Alerts and logs stay. To only stop the search, change its end.",
  close: "Close",
  hitsInLogs: "Hits in logs",
  noHits: "It was not seen in any log.",
  notSearched: "Stored logs were not searched yet; new ones are compared as they arrive.",
  searched: "30 days of stored logs searched on {time}; new ones are compared as they arrive.",
  searchedCapped: "30 days of stored logs searched on {time}, capped: there are more hits than are kept.",
  firstOf: "The newest {shown} of {total}",
  allInHunt: "All of them in Hunt",
  alerts: "Alerts",
  noAlerts: "No alert names it.",
  empty: "There are no indicators yet",
  emptyText: "Paste a report above, or import a STIX bundle or a MISP event.",
};

export const iocsPhrases: Translations<IocsPhrases> = { en: english, ar: iocsArabic };
