import type { Phrases, Translations } from "../language/translations.ts";

const english = {
  unreachable: "The player is not responding.",
  unreachableHint: "This page keeps trying. You see the last known state.",
  tryNow: "Try now",
  loading: "Loading…",
  tryAgain: "Try again",
};

const arabic: Phrases<typeof english> = {
  unreachable: "المشغّل لا يستجيب.",
  unreachableHint: "تعيد هذه الصفحة المحاولة تلقائيًا، وما تراه هو آخر حالة معروفة.",
  tryNow: "حاول الآن",
  loading: "جارٍ التحميل…",
  tryAgain: "أعد المحاولة",
};

export const livePhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };
