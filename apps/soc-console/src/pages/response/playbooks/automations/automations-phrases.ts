import type { PluralForms } from "../../../../app/language/numbers.ts";
import type { Translations } from "../../../../app/language/translations.ts";
import type { Firing } from "./automations-client.ts";

export interface AutomationsPhrases {
  automations: string;
  name: string;
  condition: string;
  conditionHint: string;
  playbook: string;
  choosePlaybook: string;
  cooldown: string;
  cooldownHint: string;
  cooldownMinutes: PluralForms;
  noCooldown: string;
  pause: string;
  state: string;
  enabled: string;
  disabled: string;
  enable: string;
  disable: string;
  fired: string;
  lastFired: string;
  never: string;
  by: string;
  create: string;
  edit: string;
  save: string;
  previewSave: string;
  remove: string;
  removeTitle: string;
  removeText: string;
  removed: string;
  keep: string;
  close: string;
  none: string;
  noneText: string;
  preview: string;
  wouldStart: PluralForms;
  matched: PluralForms;
  noMatch: string;
  needsApproval: string;
  startsAtOnce: string;
  leaves: string;
  disabledPlaybook: string;
  partial: string;
  perBar: string;
  samples: string;
  alert: string;
  firings: string;
  noFirings: string;
  outcomes: Record<Firing["outcome"], string>;
  run: string;
  approval: string;
  saved: string;
}

export const automationsPhrases: Translations<AutomationsPhrases> = {
  en: {
    automations: "Starts when",
    name: "Name",
    condition: "When a new alert matches",
    conditionHint: "source:email-gateway AND mitre_techniques:T1566*",
    playbook: "Playbook",
    choosePlaybook: "Choose a playbook",
    cooldown: "Pause after a start, in minutes",
    cooldownHint: "Alerts in the pause start nothing.",
    cooldownMinutes: { one: "# minute pause", other: "# minutes pause" },
    noCooldown: "no pause",
    pause: "Pause",
    state: "State",
    enabled: "enabled",
    disabled: "disabled",
    enable: "Enable",
    disable: "Disable",
    fired: "Started, 24 h",
    lastFired: "Last started",
    never: "never",
    by: "Made by",
    create: "New automation",
    edit: "Edit",
    save: "Save",
    previewSave: "Preview saving",
    remove: "Delete",
    removeTitle: "Delete this automation?",
    removeText: "New alerts no longer start the playbook. Its runs and their history stay.",
    removed: "The automation is deleted",
    keep: "Keep it",
    close: "Close",
    none: "Nothing starts by itself",
    noneText: "An automation starts a playbook for each new alert that matches a condition.",
    preview: "What it would have started in the last 7 days",
    wouldStart: { one: "# start", other: "# starts" },
    matched: { one: "of # matching alert", other: "of # matching alerts" },
    noMatch: "No alert of the last 7 days matches.",
    needsApproval: "Each start waits for an approval.",
    startsAtOnce: "Each start runs at once.",
    leaves: "Something would leave the platform.",
    disabledPlaybook: "The playbook is disabled: nothing would start.",
    partial: "Only alerts since {time} were counted.",
    perBar: "{time}: {count}",
    samples: "The newest matching alerts",
    alert: "Alert",
    firings: "What became of alerts",
    noFirings: "No alert has matched yet.",
    outcomes: {
      started: "started",
      pending_approval: "waits for an approval",
      cooling_down: "in the pause",
      refused: "refused",
    },
    run: "Run",
    approval: "Approval",
    saved: "{name} is saved",
  },
  ar: {
    automations: "يبدأ عندما",
    name: "الاسم",
    condition: "عندما يطابق تنبيه جديد",
    conditionHint: "source:email-gateway AND mitre_techniques:T1566*",
    playbook: "الكتيّب",
    choosePlaybook: "اختر كتيّبًا",
    cooldown: "التوقف بعد البدء، بالدقائق",
    cooldownHint: "التنبيهات في أثناء التوقف لا تبدأ شيئًا.",
    cooldownMinutes: { one: "توقف دقيقة", two: "توقف دقيقتين", few: "توقف # دقائق", other: "توقف # دقيقة" },
    noCooldown: "بلا توقف",
    pause: "التوقف",
    state: "الحالة",
    enabled: "مفعّلة",
    disabled: "معطّلة",
    enable: "فعّل",
    disable: "عطّل",
    fired: "بدأت، 24 س",
    lastFired: "آخر بدء",
    never: "أبدًا",
    by: "أنشأها",
    create: "أتمتة جديدة",
    edit: "عدّل",
    save: "احفظ",
    previewSave: "عاين الحفظ",
    remove: "احذف",
    removeTitle: "هل تُحذف هذه الأتمتة؟",
    removeText: "لن تبدأ التنبيهات الجديدة الكتيّب. تبقى تشغيلاتها وسجلها.",
    removed: "حُذفت الأتمتة",
    keep: "أبقها",
    close: "إغلاق",
    none: "لا شيء يبدأ من تلقاء نفسه",
    noneText: "تبدأ الأتمتة كتيّبًا لكل تنبيه جديد يطابق شرطًا.",
    preview: "ما كانت ستبدؤه في آخر 7 أيام",
    wouldStart: { one: "بدء واحد", two: "بدءان", few: "# مرات", other: "# مرة" },
    matched: {
      one: "من تنبيه مطابق واحد",
      two: "من تنبيهين مطابقين",
      few: "من # تنبيهات مطابقة",
      other: "من # تنبيهًا مطابقًا",
    },
    noMatch: "لا تنبيه من آخر 7 أيام يطابق.",
    needsApproval: "كل بدء ينتظر موافقة.",
    startsAtOnce: "كل بدء يعمل فورًا.",
    leaves: "سيغادر المنصة شيء.",
    disabledPlaybook: "الكتيّب معطّل: لن يبدأ شيء.",
    partial: "عُدّت التنبيهات منذ {time} فقط.",
    perBar: "{time}: {count}",
    samples: "أحدث التنبيهات المطابقة",
    alert: "التنبيه",
    firings: "ما صار بالتنبيهات",
    noFirings: "لم يطابق أي تنبيه بعد.",
    outcomes: {
      started: "بدأ",
      pending_approval: "ينتظر موافقة",
      cooling_down: "في أثناء التوقف",
      refused: "رُفض",
    },
    run: "التشغيل",
    approval: "الموافقة",
    saved: "حُفظت {name}",
  },
};
