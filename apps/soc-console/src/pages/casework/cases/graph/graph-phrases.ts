import type { Phrases, Translations } from "../../../../app/language/translations.ts";

const english = {
  graph: "What the alerts of the case have in common",
  types: { host: "host", user: "user", address: "address", domain: "domain", hash: "hash" },
  nodes: { one: "# entity", other: "# entities" },
  edges: { one: "# link", other: "# links" },
  type: "Type",
  value: "Entity",
  alerts: "Alerts",
  partial: "Not everything is shown.",
  empty: "Nothing to draw",
  emptyText: "The alerts of this case name no host, user or address.",
  filter: "Show what the timeline says about {value}",
  mayNot: "Your role does not allow reading alerts.",
};

const arabic: Phrases<typeof english> = {
  graph: "ما تشترك فيه تنبيهات القضية",
  types: { host: "مضيف", user: "مستخدم", address: "عنوان", domain: "نطاق", hash: "بصمة" },
  nodes: { one: "كيان واحد", two: "كيانان", few: "# كيانات", other: "# كيانًا" },
  edges: { one: "صلة واحدة", two: "صلتان", few: "# صلات", other: "# صلة" },
  type: "النوع",
  value: "الكيان",
  alerts: "التنبيهات",
  partial: "هناك أكثر مما يُعرض.",
  empty: "لا شيء للرسم",
  emptyText: "لا تذكر تنبيهات هذه القضية مضيفًا أو مستخدمًا أو عنوانًا.",
  filter: "اعرض ما يقوله السجل الزمني عن {value}",
  mayNot: "دورك لا يسمح بقراءة التنبيهات.",
};

export const graphPhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };
