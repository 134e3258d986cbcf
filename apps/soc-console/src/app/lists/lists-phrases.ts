import type { PluralForms } from "../language/numbers.ts";
import type { Translations } from "../language/translations.ts";

/** Words that every list uses. */
export interface ListsPhrases {
  move: string;
  up: string;
  extend: string;
  extendUp: string;
  open: string;
  peek: string;
  leave: string;
  select: string;
  showNews: string;
  news: PluralForms;
  shown: string;
  selected: PluralForms;
  cancel: string;
  close: string;
  noMatch: string;
  noMatchText: string;
  clearFilter: string;
}

export const listsPhrases: Translations<ListsPhrases> = {
  en: {
    move: "move",
    up: "move up",
    extend: "select and go down",
    extendUp: "select and go up",
    open: "open",
    peek: "peek",
    leave: "close the pane",
    select: "select",
    showNews: "show what changed",
    news: { one: "# changed · press . to show", other: "# changed · press . to show" },
    shown: "{shown} of {total}",
    selected: { one: "# selected", other: "# selected" },
    cancel: "Cancel",
    close: "Close",
    noMatch: "Nothing matches",
    noMatchText: "Remove a part of the filter.",
    clearFilter: "Clear the filter",
  },
  ar: {
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
  },
};
