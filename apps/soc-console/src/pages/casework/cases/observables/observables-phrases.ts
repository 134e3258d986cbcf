import type { Translations } from "../../../../app/language/translations.ts";

export interface ObservablesPhrases {
  observables: string;
  type: string;
  value: string;
  source: string;
  tags: string;
  added: string;
  add: string;
  addTitle: string;
  editTitle: string;
  save: string;
  remove: string;
  edit: string;
  copy: string;
  copyDefanged: string;
  copied: string;
  hunt: string;
  known: string;
  knownAs: string;
  unknown: string;
  whereSeen: string;
  alerts: string;
  cases: string;
  logs: string;
  never: string;
  looking: string;
  mayNotLook: string;
  empty: string;
  emptyText: string;
  select: string;
  openEntity: string;
  risk: string;
}

export const observablesPhrases: Translations<ObservablesPhrases> = {
  en: {
    observables: "Observables",
    type: "Type",
    value: "Value",
    source: "Source",
    tags: "Tags",
    added: "Added",
    add: "Add",
    addTitle: "Add an observable",
    editTitle: "Edit the observable",
    save: "Save",
    remove: "Remove",
    edit: "Edit",
    copy: "Copy",
    copyDefanged: "Copy defanged",
    copied: "Copied",
    hunt: "Hunt for it",
    known: "Known?",
    knownAs: "Known indicator: {source}, confidence {confidence}, {hits} hits",
    unknown: "Not a known indicator",
    whereSeen: "Where seen?",
    alerts: "Alerts, 30 days",
    cases: "Cases",
    logs: "Logs, 24 h",
    never: "not seen",
    looking: "Looking…",
    mayNotLook: "Your role does not allow reading indicators or alerts.",
    empty: "No observables yet",
    emptyText: "Add an address, a domain, a hash: they are compared with indicators and logs.",
    select: "Select",
    openEntity: "Open its page",
    risk: "Risk",
  },
  ar: {
    observables: "المؤشرات",
    type: "النوع",
    value: "القيمة",
    source: "المصدر",
    tags: "الوسوم",
    added: "أُضيف",
    add: "أضف",
    addTitle: "أضف مؤشرًا",
    editTitle: "عدّل المؤشر",
    save: "احفظ",
    remove: "أزل",
    edit: "عدّل",
    copy: "انسخ",
    copyDefanged: "انسخ معطّلًا",
    copied: "نُسخ",
    hunt: "ابحث عنه في السجلات",
    known: "معروف؟",
    knownAs: "مؤشر معروف: {source}، الثقة {confidence}، الإصابات {hits}",
    unknown: "ليس مؤشرًا معروفًا",
    whereSeen: "أين شوهد؟",
    alerts: "التنبيهات، 30 يومًا",
    cases: "القضايا",
    logs: "السجلات، 24 ساعة",
    never: "لم يُشاهد",
    looking: "يجري البحث…",
    mayNotLook: "دورك لا يسمح بقراءة المؤشرات أو التنبيهات.",
    empty: "لا مؤشرات بعد",
    emptyText: "أضف عنوانًا أو نطاقًا أو بصمة: تُقارن بالمؤشرات المعروفة والسجلات.",
    select: "حدّد",
    openEntity: "افتح صفحته",
    risk: "الخطر",
  },
};
