import { translations } from "../language/translations.ts";

export const sitesFieldPhrases = translations({
  sites: ["Sites", "المواقع"],
  all: ["All sites", "كل المواقع"],
  some: ["Only these sites", "هذه المواقع فقط"],
  chooseOne: ["Choose at least one site.", "اختر موقعًا واحدًا على الأقل."],
});
