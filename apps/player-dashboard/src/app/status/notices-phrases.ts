import type { Translations } from "../language/translations.ts";

interface NoticesPhrases {
  dismiss: string;
}

const english: NoticesPhrases = {
  dismiss: "Dismiss",
};

const arabic: NoticesPhrases = {
  dismiss: "إخفاء",
};

export const noticesPhrases: Translations<NoticesPhrases> = { en: english, ar: arabic };
