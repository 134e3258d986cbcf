import { translations } from "../language/translations.ts";

export const listsPhrases = translations({
  move: ["move", "تنقّل"],
  up: ["move up", "إلى الأعلى"],
  extend: ["extend selection down", "حدد وانزل"],
  extendUp: ["extend selection up", "حدد واصعد"],
  open: ["open", "فتح"],
  peek: ["peek", "نظرة"],
  leave: ["close the pane", "أغلق اللوح"],
  select: ["select", "تحديد"],
  showNews: ["show changes", "اعرض ما تغيّر"],
  news: [
    { one: "# changed · press . to show", other: "# changed · press . to show" },
    { one: "تغيّر # · اضغط . للعرض", other: "تغيّر # · اضغط . للعرض" },
  ],
  shown: ["{shown} of {total}", "{shown} من {total}"],
  selected: [
    { one: "# selected", other: "# selected" },
    { one: "# محدد", other: "# محددة" },
  ],
  cancel: ["Cancel", "إلغاء"],
  close: ["Close", "إغلاق"],
  noMatch: ["Nothing matches", "لا شيء يطابق"],
  noMatchText: ["Remove part of the filter.", "أزل جزءًا من المرشّح."],
  clearFilter: ["Clear the filter", "امسح المرشّح"],
});
