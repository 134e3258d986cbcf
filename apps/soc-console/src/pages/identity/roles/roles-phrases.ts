import type { Phrases, Translations } from "../../../app/language/translations.ts";

const english = {
  permission: "Permission",
  yours: "your role",
  yes: "yes",
  no: "no",
  hint: "An API key may do what its scopes and the role of its owner both allow.",
  fixed: "The roles are fixed; an administrator gives each user one of them.",
  users: "users, API keys",
};

const arabic: Phrases<typeof english> = {
  permission: "الصلاحية",
  yours: "دورك",
  yes: "نعم",
  no: "لا",
  hint: "يستطيع مفتاح API ما تسمح به نطاقاته ودور صاحبه معًا.",
  fixed: "الأدوار ثابتة، ويعطي المدير كل مستخدم واحدًا منها.",
  users: "المستخدمون ومفاتيح API",
};

export const rolesPhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };
