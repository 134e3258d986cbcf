import { translations } from "../../../../app/language/translations.ts";

export const graphPhrases = translations({
  graph: ["What the alerts of the case have in common", "ما تشترك فيه تنبيهات القضية"],
  types: {
    host: ["host", "مضيف"],
    user: ["user", "مستخدم"],
    address: ["address", "عنوان"],
    domain: ["domain", "نطاق"],
    hash: ["hash", "بصمة"],
  },
  nodes: [
    { one: "# entity", other: "# entities" },
    { one: "كيان واحد", two: "كيانان", few: "# كيانات", other: "# كيانًا" },
  ],
  edges: [
    { one: "# link", other: "# links" },
    { one: "صلة واحدة", two: "صلتان", few: "# صلات", other: "# صلة" },
  ],
  type: ["Type", "النوع"],
  value: ["Entity", "الكيان"],
  alerts: ["Alerts", "التنبيهات"],
  partial: ["Not everything is shown.", "هناك أكثر مما يُعرض."],
  unread: ["The alerts of this case could not be read in time", "تعذّرت قراءة تنبيهات هذه القضية في الوقت المحدد"],
  unreadText: ["Whether there is something to draw is not known.", "لا يُعرف ما إذا كان هناك ما يُرسم."],
  retry: ["Try again", "أعد المحاولة"],
  empty: ["Nothing to draw", "لا شيء للرسم"],
  emptyText: [
    "The alerts of this case name no host, user or address.",
    "لا تذكر تنبيهات هذه القضية مضيفًا أو مستخدمًا أو عنوانًا.",
  ],
  filter: ["Show what the timeline says about {value}", "اعرض ما يقوله السجل الزمني عن {value}"],
  mayNot: ["Your role does not allow reading alerts.", "دورك لا يسمح بقراءة التنبيهات."],
});
