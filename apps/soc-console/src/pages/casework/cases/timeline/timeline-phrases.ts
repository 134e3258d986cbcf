import type { Phrases, Translations } from "../../../../app/language/translations.ts";

const english = {
  story: "Story, newest first",
  kinds: { people: "People", machine: "Machine", evidence: "Evidence" },
  everything: "Everything",
  show: "What is shown",
  about: "About",
  stopAbout: "Show everything again",
  comment: "Comment",
  commentHint: "Markdown. @ mentions a colleague.",
  send: "Comment",
  sendPreview: "Preview the comment",
  writeComment: "Write a comment",
  edited: "edited",
  machineRun: { one: "# automated entry", other: "# automated entries" },
  news: "New entries · show",
  nothing: "Nothing has happened yet",
  nothingAbout: "No matching entries",
  suggestions: "Colleagues",
  earlier: "Show earlier",
};

const arabic: Phrases<typeof english> = {
  story: "القصة، الأحدث أولًا",
  kinds: { people: "الأشخاص", machine: "الآلة", evidence: "الأدلة" },
  everything: "الكل",
  show: "ما يُعرض",
  about: "عن",
  stopAbout: "اعرض الكل من جديد",
  comment: "تعليق",
  commentHint: "يُكتب بصيغة Markdown، والرمز @ يذكر زميلًا.",
  send: "علّق",
  sendPreview: "عاين التعليق",
  writeComment: "اكتب تعليقًا",
  edited: "عُدّل",
  machineRun: { one: "# من مدخلات الآلة", other: "# من مدخلات الآلة" },
  news: "مدخلات جديدة · اعرضها",
  nothing: "لم يحدث شيء بعد",
  nothingAbout: "لا شيء من هذا النوع بعد",
  suggestions: "الزملاء",
  earlier: "اعرض الأقدم",
};

export const timelinePhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };
