import type { PluralForms } from "../../../app/language/numbers.ts";

/** A change by its mode. */
interface Verb {
  real: string;
  preview: string;
}

type Severities = Record<"critical" | "high" | "medium" | "low" | "info", string>;

interface PagePhrases {
  hunt: string;
  query: string;
  queryHint: string;
  run: string;
  tail: string;
  save: string;
  more: string;
  close: string;
  retry: string;
  loading: string;
  zone: string;
  severity: string;
  severities: Severities;
  time: string;
  logs: string;
  /** `{time}` */
  selectLog: string;
  selectedCount: PluralForms;
  clear: string;
  copied: string;
  notCopied: string;
  linkCopied: string;
  dummyRefuses: string;
  previewOnly: string;
  commands: Record<
    | "run"
    | "editor"
    | "down"
    | "up"
    | "extendDown"
    | "extendUp"
    | "peek"
    | "select"
    | "include"
    | "exclude"
    | "columns"
    | "range"
    | "resume"
    | "link"
    | "close"
    | "promote",
    string
  >;
}

interface ResultPhrases {
  searching: string;
  /** `{shown}`, `{total}`, `{time}` */
  shownOf: string;
  /** `{seconds}` */
  slow: string;
  cancel: string;
  cancelled: string;
  runAgain: string;
  storeFailed: string;
  storeFailedText: string;
  rowsFailed: string;
  nothingFound: string;
  nothingFoundText: string;
  overTime: string;
  splitBy: string;
  /** `{field}` */
  by: string;
  dragHint: string;
  chartFailed: string;
  chartTooSlow: string;
  /** `{time}` */
  chartPartial: string;
  fields: string;
  findField: string;
  allFields: string;
  noField: string;
  moreFields: string;
  fieldsFailed: string;
  facetsFailed: string;
  storesMissing: string;
  facetsPartial: string;
  /** `{count}` */
  otherValues: string;
  /** `{count}` */
  withoutValue: string;
  /** `{term}` */
  include: string;
  /** `{term}` */
  exclude: string;
  /** `{field}` */
  asColumn: string;
}

interface LogPhrases {
  log: string;
  logFailed: string;
  openLog: string;
  views: string;
  viewNames: Record<"fields" | "raw" | "around" | "tree", string>;
  timeOfArrival: string;
  /** `{value}` */
  copy: string;
  /** `{value}` */
  openEntity: string;
  /** `{value}` */
  addValue: string;
  addTitle: string;
  addTo: string;
  asIndicator: string;
  asObservable: string;
  add: Verb;
  added: string;
  notAdded: string;
  wouldAdd: string;
  noTarget: string;
  around: string;
  aroundFailed: string;
  aroundCut: string;
  sameHost: string;
  processTree: string;
  treeFailed: string;
  treePartial: string;
  noProcesses: string;
  alertCount: PluralForms;
  promote: string;
  promoteTitle: PluralForms;
  promoteText: string;
  /** `{limit}` */
  promoteLimit: string;
  promoteVerb: Verb;
  withCase: string;
  asMatch: string;
  asMatchHint: string;
  noRule: string;
  done: string;
  notPromoted: string;
  wouldPromote: string;
}

interface HuntPhrases {
  savedHunts: string;
  saveHunt: string;
  changeHunt: string;
  saveVerb: Verb;
  saved: string;
  notSaved: string;
  wouldSave: string;
  huntTitle: string;
  description: string;
  sharing: string;
  sharingModes: Record<"private" | "team" | "roles", string>;
  everything: string;
  huntsFailed: string;
  noHunts: string;
  noHuntsText: string;
  noSuchHunt: string;
  noSuchHuntText: string;
  /** `{title}` */
  deleteNamed: string;
  deleteHunt: string;
  deleteVerb: Verb;
  deleted: string;
  notDeleted: string;
  wouldDelete: string;
}

interface TailPhrases {
  tailPhases: Record<"live" | "paused" | "stopped", string>;
  tailConnecting: string;
  /** `{count}` */
  tailWaiting: string;
  /** `{count}` */
  tailDropped: string;
  /** `{time}` */
  tailGap: string;
  /** `{count}` */
  tailRows: string;
  tailPause: string;
  tailResume: string;
  tailStop: string;
  tailStart: string;
  tailStopped: string;
  tailWaits: string;
  tailWaitsText: string;
  tailRefused: string;
}

interface LeavingPhrases {
  exportTitle: string;
  exportLimit: string;
  format: string;
  download: string;
  /** `{total}` */
  exportComplete: string;
  /** `{total}`, `{limit}` */
  exportCut: string;
  /** `{total}`, `{limit}` */
  exportAtLeast: string;
  exportUnknown: string;
  exportNeedsCookie: string;
  csvHint: string;
  ruleTitle: string;
}

export type SearchPhrases = PagePhrases & ResultPhrases & LogPhrases & HuntPhrases & TailPhrases & LeavingPhrases;
