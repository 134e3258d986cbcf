import type { PluralForms } from "../../../../app/language/numbers.ts";
import type { Translations } from "../../../../app/language/translations.ts";
import type { StoryKind } from "./story.ts";

export interface TimelinePhrases {
  story: string;
  kinds: Record<StoryKind, string>;
  everything: string;
  show: string;
  about: string;
  stopAbout: string;
  comment: string;
  commentHint: string;
  send: string;
  sendPreview: string;
  writeComment: string;
  edited: string;
  machineRun: PluralForms;
  fold: string;
  news: string;
  nothing: string;
  nothingAbout: string;
  suggestions: string;
  earlier: string;
}

export const timelinePhrases: Translations<TimelinePhrases> = {
  en: {
    story: "Story, newest first",
    kinds: { people: "People", machine: "Machine", evidence: "Evidence" },
    everything: "Everything",
    show: "What is shown",
    about: "About",
    stopAbout: "Show everything again",
    comment: "Comment",
    commentHint: "Markdown. @ names a colleague.",
    send: "Comment",
    sendPreview: "Preview the comment",
    writeComment: "Write a comment",
    edited: "edited",
    machineRun: { one: "# entry of machines", other: "# entries of machines" },
    fold: "Fold",
    news: "New entries · show",
    nothing: "Nothing has happened yet",
    nothingAbout: "Nothing of the kind yet",
    suggestions: "Colleagues",
    earlier: "Show earlier",
  },
  ar: {
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
    fold: "اطوِ",
    news: "مدخلات جديدة · اعرضها",
    nothing: "لم يحدث شيء بعد",
    nothingAbout: "لا شيء من هذا النوع بعد",
    suggestions: "الزملاء",
    earlier: "اعرض الأقدم",
  },
};
