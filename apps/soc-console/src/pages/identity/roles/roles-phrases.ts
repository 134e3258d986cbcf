import { translations } from "../../../app/language/translations.ts";

export const rolesPhrases = translations({
  permission: ["Permission", "الصلاحية"],
  yours: ["your role", "دورك"],
  yes: ["yes", "نعم"],
  no: ["no", "لا"],
  hint: [
    "An API key may do what its scopes and the role of its owner both allow.",
    "يستطيع مفتاح API ما تسمح به نطاقاته ودور صاحبه معًا.",
  ],
  fixed: [
    "The roles are fixed; an administrator gives each user one of them.",
    "الأدوار ثابتة، ويعطي المدير كل مستخدم واحدًا منها.",
  ],
  users: ["users, API keys", "المستخدمون ومفاتيح API"],
});
