import type { PluralForms } from "../../../../app/language/numbers.ts";
import type { Translations } from "../../../../app/language/translations.ts";
import type { GraphNode } from "./graph.ts";

export interface GraphPhrases {
  graph: string;
  types: Record<GraphNode["type"], string>;
  nodes: PluralForms;
  edges: PluralForms;
  type: string;
  value: string;
  alerts: string;
  partial: string;
  empty: string;
  emptyText: string;
  filter: string;
  mayNot: string;
  drawing: string;
}

export const graphPhrases: Translations<GraphPhrases> = {
  en: {
    graph: "What the alerts of the case have in common",
    types: { host: "host", user: "user", address: "address", domain: "domain", hash: "hash" },
    nodes: { one: "# entity", other: "# entities" },
    edges: { one: "# link", other: "# links" },
    type: "Type",
    value: "Entity",
    alerts: "Alerts",
    partial: "There is more than is shown.",
    empty: "Nothing to draw",
    emptyText: "The alerts of this case name no host, user or address.",
    filter: "Show what the timeline says about {value}",
    mayNot: "Your role does not allow reading alerts.",
    drawing: "Drawing…",
  },
  ar: {
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
    drawing: "يُرسم…",
  },
};
