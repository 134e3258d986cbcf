import type { Translations } from "../language/translations.ts";

interface LivePhrases {
  unreachable: string;
  unreachableHint: string;
  tryNow: string;
  loading: string;
  tryAgain: string;
}

const english: LivePhrases = {
  unreachable: "The player is not responding.",
  unreachableHint: "This page keeps trying. You see the last known state.",
  tryNow: "Try now",
  loading: "Loading…",
  tryAgain: "Try again",
};

const arabic: LivePhrases = {
  unreachable: "المشغّل لا يستجيب.",
  unreachableHint: "تعيد هذه الصفحة المحاولة تلقائيًا، وما تراه هو آخر حالة معروفة.",
  tryNow: "حاول الآن",
  loading: "جارٍ التحميل…",
  tryAgain: "أعد المحاولة",
};

export const livePhrases: Translations<LivePhrases> = { en: english, ar: arabic };
