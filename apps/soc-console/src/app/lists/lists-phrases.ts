import type { Phrases, Translations } from "../language/translations.ts";

const english = {
  move: "move",
  up: "move up",
  extend: "extend selection down",
  extendUp: "extend selection up",
  open: "open",
  peek: "peek",
  leave: "close the pane",
  select: "select",
  showNews: "show changes",
  news: { one: "# changed · press . to show", other: "# changed · press . to show" },
  shown: "{shown} of {total}",
  selected: { one: "# selected", other: "# selected" },
  cancel: "Cancel",
  close: "Close",
  noMatch: "Nothing matches",
  noMatchText: "Remove part of the filter.",
  clearFilter: "Clear the filter",
};

const arabic: Phrases<typeof english> = {
  move: "تنقّل",
  up: "إلى الأعلى",
  extend: "حدد وانزل",
  extendUp: "حدد واصعد",
  open: "فتح",
  peek: "نظرة",
  leave: "أغلق اللوح",
  select: "تحديد",
  showNews: "اعرض ما تغيّر",
  news: { one: "تغيّر # · اضغط . للعرض", other: "تغيّر # · اضغط . للعرض" },
  shown: "{shown} من {total}",
  selected: { one: "# محدد", other: "# محددة" },
  cancel: "إلغاء",
  close: "إغلاق",
  noMatch: "لا شيء يطابق",
  noMatchText: "أزل جزءًا من المرشّح.",
  clearFilter: "امسح المرشّح",
};

export const listsPhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };
