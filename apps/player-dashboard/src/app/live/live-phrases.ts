import type { Translations } from "../language/translations.ts";

interface LivePhrases {
  unreachable: string;
  unreachableHint: string;
  tryNow: string;
  loading: string;
  tryAgain: string;
}

const english: LivePhrases = {
  unreachable: "The player is not answering.",
  unreachableHint: "This page tries again by itself. What you see is what it said last.",
  tryNow: "Try now",
  loading: "Asking the player…",
  tryAgain: "Try again",
};

const arabic: LivePhrases = {
  unreachable: "المشغّل لا يجيب.",
  unreachableHint: "تعيد هذه الصفحة المحاولة تلقائيًا، وما تراه آخر ما قاله المشغّل.",
  tryNow: "حاول الآن",
  loading: "نسأل المشغّل…",
  tryAgain: "أعد المحاولة",
};

export const livePhrases: Translations<LivePhrases> = { en: english, ar: arabic };
