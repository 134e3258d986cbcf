import type { PluralForms } from "../../../app/language/numbers.ts";
import type { Translations } from "../../../app/language/translations.ts";
import type { InboxKind } from "./inbox-client.ts";

interface InboxPhrases {
  title: string;
  views: string;
  all: string;
  kinds: Readonly<Record<InboxKind, string>>;
  onlyUnread: string;
  list: string;
  unread: string;
  group: string;
  next: string;
  previous: string;
  open: string;
  markRead: string;
  markAll: string;
  marked: PluralForms;
  preview: string;
  dummy: string;
  news: PluralForms;
  showNews: string;
  more: string;
  empty: string;
  emptyText: string;
  emptyUnread: string;
  emptyKind: string;
  showAll: string;
  failed: string;
  retry: string;
  /** `{shown}`, `{total}` */
  shown: string;
}

const english: InboxPhrases = {
  title: "Inbox",
  views: "Kinds",
  all: "All",
  kinds: {
    assigned: "Assigned",
    mentioned: "Mentioned",
    waiting: "Waiting",
    decided: "Decided",
    failed: "Failed",
    due: "Due",
    sign_in: "Sign-ins",
  },
  onlyUnread: "Only unread",
  list: "Items",
  unread: "unread",
  group: "Inbox",
  next: "Next",
  previous: "Previous",
  open: "Open",
  markRead: "Mark as read",
  markAll: "Mark all as read",
  marked: { one: "# item is read.", other: "# items are read." },
  preview: "Dry run: the items stay unread.",
  dummy: "Dummy mode: items cannot be marked.",
  news: { one: "# new", other: "# new" },
  showNews: "Show what is new",
  more: "Show older ones",
  empty: "Your inbox is empty",
  emptyText: "What others do that concerns you appears here: assignments, mentions, approvals, failed runs, sign-ins.",
  emptyUnread: "Everything is read",
  emptyKind: "Nothing of this kind",
  showAll: "Show everything",
  failed: "The inbox could not be read",
  retry: "Try again",
  shown: "{shown} of {total}",
};

const arabic: InboxPhrases = {
  title: "الوارد",
  views: "الأنواع",
  all: "الكل",
  kinds: {
    assigned: "أُسند إليك",
    mentioned: "ذُكرت فيه",
    waiting: "ينتظر",
    decided: "بُتّ فيه",
    failed: "فشل",
    due: "حان أوانه",
    sign_in: "عمليات الدخول",
  },
  onlyUnread: "غير المقروء فقط",
  list: "العناصر",
  unread: "غير مقروء",
  group: "الوارد",
  next: "التالي",
  previous: "السابق",
  open: "افتح",
  markRead: "علّمه مقروءًا",
  markAll: "علّم الكل مقروءًا",
  marked: {
    zero: "لم يُعلَّم شيء.",
    one: "قُرئ عنصر واحد.",
    two: "قُرئ عنصران.",
    few: "قُرئت # عناصر.",
    other: "قُرئ # عنصرًا.",
  },
  preview: "تشغيل جاف: تبقى العناصر غير مقروءة.",
  dummy: "الوضع التجريبي: لا تُعلَّم العناصر.",
  news: { one: "# جديد", two: "# جديدان", few: "# جديدة", other: "# جديدًا" },
  showNews: "اعرض الجديد",
  more: "اعرض الأقدم",
  empty: "الوارد فارغ",
  emptyText: "يظهر هنا ما يفعله غيرك ويخصك: الإسناد، والذكر، والموافقات، والتشغيلات الفاشلة، وعمليات الدخول.",
  emptyUnread: "قُرئ كل شيء",
  emptyKind: "لا شيء من هذا النوع",
  showAll: "اعرض كل شيء",
  failed: "تعذرت قراءة الوارد",
  retry: "أعد المحاولة",
  shown: "{shown} من {total}",
};

export const inboxPhrases: Translations<InboxPhrases> = { en: english, ar: arabic };
