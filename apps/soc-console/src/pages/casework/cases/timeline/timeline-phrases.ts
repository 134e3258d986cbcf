import { translations } from "../../../../app/language/translations.ts";

export const timelinePhrases = translations({
  story: ["Story, newest first", "القصة، الأحدث أولًا"],
  kinds: {
    people: ["People", "الأشخاص"],
    machine: ["Machine", "الآلة"],
    evidence: ["Evidence", "الأدلة"],
  },
  everything: ["Everything", "الكل"],
  show: ["What is shown", "ما يُعرض"],
  about: ["About", "عن"],
  stopAbout: ["Show everything again", "اعرض الكل من جديد"],
  comment: ["Comment", "تعليق"],
  commentHint: ["Markdown. @ mentions a colleague.", "يُكتب بصيغة Markdown، والرمز @ يذكر زميلًا."],
  send: ["Comment", "علّق"],
  sendPreview: ["Preview the comment", "عاين التعليق"],
  writeComment: ["Write a comment", "اكتب تعليقًا"],
  edited: ["edited", "عُدّل"],
  machineRun: [
    { one: "# automated entry", other: "# automated entries" },
    { one: "# من مدخلات الآلة", other: "# من مدخلات الآلة" },
  ],
  news: ["New entries · show", "مدخلات جديدة · اعرضها"],
  nothing: ["Nothing has happened yet", "لم يحدث شيء بعد"],
  nothingAbout: ["No matching entries", "لا شيء من هذا النوع بعد"],
  suggestions: ["Colleagues", "الزملاء"],
  earlier: ["Show earlier", "اعرض الأقدم"],
});
