import type { PluralForms } from "../../app/language/numbers.ts";
import type { Translations } from "../../app/language/translations.ts";

interface UploadsPhrases {
  title: string;
  adhanTitle: string;
  locked: string;
  lockedHint: string;
  unlock: string;
  choose: string;
  chooseFiles: string;
  chooseHint: string;
  drop: string;
  /** `{size}`. */
  room: string;
  readOnly: string;
  readOnlyHint: string;
  noCard: string;
  noCardHint: string;
  check: string;
  checkHint: string;
  kind: string;
  recitation: string;
  adhan: string;
  reciter: string;
  reciterOfAll: string;
  reciterHint: string;
  surah: string;
  noSurah: string;
  name: string;
  nameHint: string;
  /** `{file}`: the file that the button leaves out. */
  leaveOut: string;
  gaps: Readonly<Record<"reciter" | "surah" | "name", string>>;
  twin: string;
  send: PluralForms;
  queue: string;
  states: Readonly<Record<"waiting" | "retrying" | "paused" | "unreadable", string>>;
  /** `{sent}` and `{total}`. */
  sent: string;
  finishing: string;
  done: string;
  pause: string;
  resume: string;
  cancel: string;
  retry: string;
  replace: string;
  remove: string;
  play: string;
  toReciter: string;
  useAsAdhan: string;
  useForFajr: string;
  nowAdhan: string;
  nowFajr: string;
  /** By the device's `problem-code`. */
  refusals: Readonly<Record<string, string>>;
  unfinished: string;
  unfinishedHint: string;
  /** `{percent}`. */
  arrived: string;
  onCard: string;
  onCardHint: string;
  delete: string;
  /** `{name}` in the next ones. */
  renameTitle: string;
  newName: string;
  newFileHint: string;
  newFolderHint: string;
  save: string;
  renamed: string;
  nameTaken: string;
  isPlaying: string;
  notFollowed: PluralForms;
  deleteTitle: string;
  deleteFile: string;
  deleteFolder: string;
  deleteYes: string;
  keep: string;
  deleted: string;
  openFolder: string;
  up: string;
  top: string;
  emptyFolder: string;
  leftOff: PluralForms;
}

const english: UploadsPhrases = {
  title: "Add recitations",
  adhanTitle: "Add an adhan",
  locked: "Adding files needs the token",
  lockedHint: "You enter it once on this device.",
  unlock: "Enter the token",
  choose: "From this phone or computer",
  chooseFiles: "Choose files",
  chooseHint: "MP3, M4A, Ogg, Opus, FLAC or WAV. You can choose several at once.",
  drop: "or drop them here",
  room: "{size} free on the memory card",
  readOnly: "The memory card is read-only",
  readOnlyHint: "Move the small lock on the side of the card, or use another card.",
  noCard: "No memory card",
  noCardHint: "Insert a memory card. Then you can add recitations here.",
  check: "Check what each file is",
  checkHint: "The player guessed from the names. Correct what is wrong.",
  kind: "Type",
  recitation: "Recitation",
  adhan: "Adhan",
  reciter: "Reciter",
  reciterOfAll: "Reciter of all files",
  reciterHint: "Files with the same reciter are kept together.",
  surah: "Surah",
  noSurah: "Choose a surah",
  name: "Name",
  nameHint: "For example: Makkah",
  leaveOut: "Leave out {file}",
  gaps: {
    reciter: "Who is the reciter?",
    surah: "Which surah is it?",
    name: "Give the adhan a name.",
  },
  twin: "Another file here is the same surah or has the same name.",
  send: { one: "Add # file to the card", other: "Add # files to the card" },
  queue: "Progress",
  states: {
    waiting: "Waiting",
    retrying: "The player does not respond. Trying again.",
    paused: "Paused",
    unreadable: "This file can no longer be read. Choose it again to continue.",
  },
  sent: "{sent} of {total}",
  finishing: "Finishing",
  done: "On the card",
  pause: "Pause",
  resume: "Continue",
  cancel: "Cancel",
  retry: "Try again",
  replace: "Replace",
  remove: "Remove from this list",
  play: "Play",
  toReciter: "Show in library",
  useAsAdhan: "Use as the adhan",
  useForFajr: "Use for Fajr",
  nowAdhan: "This is now the adhan.",
  nowFajr: "This is now the adhan of Fajr.",
  refusals: {
    file_exists: "It is on the card already. Replace it?",
    file_playing: "The file that it would replace is playing. Stop it and try again.",
    upload_exists: "Another upload of the same surah or name is unfinished. Replace it?",
    type_refused: "This is not audio that the player can play.",
    card_full: "The memory card does not have enough room.",
    card_read_only: "The memory card is read-only.",
    card_missing: "The memory card was taken out. Insert it and try again.",
    card_failed: "The memory card cannot be written.",
    name_refused: "A memory card cannot keep this name. Use letters, digits and spaces.",
    storage_limit: "Too many unfinished uploads. Finish or delete some of them below.",
  },
  unfinished: "Unfinished",
  unfinishedHint: "Choose the same file again, and it continues where it stopped. After two days it is deleted.",
  arrived: "{percent} % arrived",
  onCard: "Rename or delete",
  onCardHint: "What is on the memory card now.",
  delete: "Delete",
  renameTitle: "Rename {name}",
  newName: "New name",
  newFileHint: "The number of the surah comes first, for example 036.mp3.",
  newFolderHint: "The folder is the name of the reciter.",
  save: "Save",
  nameTaken: "This name is on the card already.",
  isPlaying: "The file is playing. Stop it first.",
  renamed: "Renamed. Favorites, cards and the adhan follow.",
  notFollowed: {
    one: "# schedule still uses the old name. Change it under Schedules.",
    other: "# schedules still use the old name. Change them under Schedules.",
  },
  deleteTitle: "Delete {name}?",
  deleteFile: "The file is deleted from the memory card. This cannot be undone.",
  deleteFolder: "The folder and all files in it are deleted from the memory card. This cannot be undone.",
  deleteYes: "Delete",
  keep: "Keep",
  deleted: "Deleted.",
  openFolder: "Open {name}",
  up: "All folders",
  top: "Memory card",
  emptyFolder: "Nothing here.",
  leftOff: { one: "One more entry is not shown.", other: "# more entries are not shown." },
};

const arabic: UploadsPhrases = {
  title: "إضافة تلاوات",
  adhanTitle: "إضافة أذان",
  locked: "إضافة الملفات تحتاج إلى الرمز",
  lockedHint: "تُدخله مرّة واحدة على هذا الجهاز.",
  unlock: "أدخل الرمز",
  choose: "من هذا الهاتف أو الحاسوب",
  chooseFiles: "اختر ملفات",
  chooseHint: "MP3 أو M4A أو Ogg أو Opus أو FLAC أو WAV. يمكنك اختيار عدة ملفات معًا.",
  drop: "أو أفلتها هنا",
  room: "المساحة الخالية على بطاقة الذاكرة: {size}",
  readOnly: "بطاقة الذاكرة للقراءة فقط",
  readOnlyHint: "حرّك القفل الصغير على جانب البطاقة، أو استعمل بطاقة أخرى.",
  noCard: "لا توجد بطاقة ذاكرة",
  noCardHint: "أدخل بطاقة ذاكرة، ثم أضف التلاوات من هنا.",
  check: "تحقّق من كل ملف",
  checkHint: "خمّن المشغّل من أسماء الملفات. صحّح ما ليس صوابًا.",
  kind: "النوع",
  recitation: "تلاوة",
  adhan: "أذان",
  reciter: "القارئ",
  reciterOfAll: "قارئ كل الملفات",
  reciterHint: "تُحفظ ملفات القارئ الواحد معًا.",
  surah: "السورة",
  noSurah: "اختر سورة",
  name: "الاسم",
  nameHint: "مثل: مكة المكرمة",
  leaveOut: "استبعد {file}",
  gaps: {
    reciter: "من القارئ؟",
    surah: "أي سورة هذه؟",
    name: "أعطِ الأذان اسمًا.",
  },
  twin: "يوجد هنا ملف آخر للسورة نفسها أو بالاسم نفسه.",
  send: {
    one: "أضف ملفًا واحدًا إلى البطاقة",
    two: "أضف ملفّين إلى البطاقة",
    few: "أضف # ملفات إلى البطاقة",
    many: "أضف # ملفًا إلى البطاقة",
    other: "أضف # ملف إلى البطاقة",
  },
  queue: "سير الإضافة",
  states: {
    waiting: "في الانتظار",
    retrying: "لا يستجيب المشغّل. تجري إعادة المحاولة.",
    paused: "متوقف مؤقتًا",
    unreadable: "لم يعد ممكنًا قراءة هذا الملف. اختره من جديد للمتابعة.",
  },
  sent: "{sent} من {total}",
  finishing: "تجري الخطوة الأخيرة",
  done: "على البطاقة",
  pause: "إيقاف مؤقت",
  resume: "متابعة",
  cancel: "إلغاء",
  retry: "حاول مجددًا",
  replace: "استبدل",
  remove: "أزله من هذه القائمة",
  play: "تشغيل",
  toReciter: "اعرضه في المكتبة",
  useAsAdhan: "اجعله الأذان",
  useForFajr: "اجعله أذان الفجر",
  nowAdhan: "صار هذا هو الأذان.",
  nowFajr: "صار هذا أذان الفجر.",
  refusals: {
    file_exists: "هو على البطاقة من قبل. هل تستبدله؟",
    file_playing: "الملف الذي سيُستبدل يُسمع الآن. أوقفه ثم حاول مجددًا.",
    upload_exists: "توجد إضافة أخرى لم تكتمل للسورة نفسها أو بالاسم نفسه. هل تستبدلها؟",
    type_refused: "ليس هذا صوتًا يستطيع المشغّل تشغيله.",
    card_full: "لا تكفي المساحة الخالية على بطاقة الذاكرة.",
    card_read_only: "بطاقة الذاكرة للقراءة فقط.",
    card_missing: "أُخرجت بطاقة الذاكرة. أدخلها ثم حاول مجددًا.",
    card_failed: "تعذّرت الكتابة على بطاقة الذاكرة.",
    name_refused: "لا تقبل بطاقة الذاكرة هذا الاسم. استعمل الحروف والأرقام والمسافات.",
    storage_limit: "الإضافات غير المكتملة كثيرة. أكمل بعضها أو احذفها أدناه.",
  },
  unfinished: "لم تكتمل",
  unfinishedHint: "اختر الملف نفسه من جديد فيُكمل من حيث توقف. ويُحذف بعد يومين.",
  arrived: "وصل {percent}٪",
  onCard: "تغيير الأسماء أو الحذف",
  onCardHint: "ما على بطاقة الذاكرة الآن.",
  delete: "احذف",
  renameTitle: "تغيير اسم {name}",
  newName: "الاسم الجديد",
  newFileHint: "رقم السورة أولًا، مثل 036.mp3.",
  newFolderHint: "المجلد باسم القارئ.",
  save: "احفظ",
  nameTaken: "هذا الاسم على البطاقة من قبل.",
  isPlaying: "الملف يُسمع الآن. أوقفه أولًا.",
  renamed: "تغيّر الاسم، وتبعته المفضلة والبطاقات والأذان.",
  notFollowed: {
    one: "ما زال موعد واحد يستعمل الاسم القديم. غيّره في المواعيد.",
    two: "ما زال موعدان يستعملان الاسم القديم. غيّرهما في المواعيد.",
    few: "ما زالت # مواعيد تستعمل الاسم القديم. غيّرها في المواعيد.",
    many: "ما زال # موعدًا يستعمل الاسم القديم. غيّرها في المواعيد.",
    other: "ما زال # موعد يستعمل الاسم القديم. غيّرها في المواعيد.",
  },
  deleteTitle: "حذف {name}؟",
  deleteFile: "يُحذف الملف من بطاقة الذاكرة، ولا يمكن التراجع عن ذلك.",
  deleteFolder: "يُحذف المجلد وكل ملفاته من بطاقة الذاكرة، ولا يمكن التراجع عن ذلك.",
  deleteYes: "احذف",
  keep: "أبقِه",
  deleted: "تم الحذف.",
  openFolder: "افتح {name}",
  up: "كل المجلدات",
  top: "بطاقة الذاكرة",
  emptyFolder: "لا شيء هنا.",
  leftOff: {
    one: "لم يُعرض عنصر واحد آخر.",
    two: "لم يُعرض عنصران آخران.",
    few: "لم تُعرض # عناصر أخرى.",
    other: "لم يُعرض # عنصرًا آخر.",
  },
};

export const uploadsPhrases: Translations<UploadsPhrases> = { en: english, ar: arabic };
