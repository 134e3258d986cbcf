import type { Phrases, Translations } from "../language/translations.ts";

const english = {
  noAnswer: "The player did not respond. Nothing was changed.",
  tooMany: "Too many taps. Try again in {seconds} s.",
  troubles: {
    private:
      "This address is in your home network. To allow it, open Settings, Sound and radio, and switch on “Allow streams from my own network”.",
    scheme: "The address must start with http:// or https://, followed by the name of the station's server.",
    credentials: "The address must not contain a user name or password.",
    spaces: "The address contains a space or another invalid character. Copy it again.",
    malformed: "The address is not complete. Copy it again.",
    long: "The address is too long: at most 1,024 characters.",
    full: "The list is full. Remove an entry first.",
    gone: "Your choice no longer exists. Choose again.",
    file: "The file is not on the card. Choose again.",
    range: "The first surah must come before the last one.",
    characters: "The name contains a character that cannot be saved. Type it again.",
    position: "There is no saved position to resume.",
    noOther: "There is no further surah by this reciter on the card.",
    emptyRange: "None of these surahs by this reciter is on the card.",
    busyUpdate: "An update is already in progress.",
    battery: "Charge the battery first: at least 20%, or connect the charger.",
    zone: "The player does not support this time zone. Choose another one.",
    clock: "This date is not possible. Check the clock of this device.",
    place: "This is not a place on earth. Check both numbers.",
    bundle: "The player cannot use this file.",
    input: "The player does not accept this. Check what you entered.",
    part: "The player could not do that: one of its parts does not work. See Settings, Diagnostics.",
  },
};

const arabic: Phrases<typeof english> = {
  noAnswer: "لم يستجب المشغّل، ولم يتغيّر شيء.",
  tooMany: "ضغطات كثيرة متتالية. حاول بعد {seconds} ث.",
  troubles: {
    private: "هذا العنوان داخل شبكة بيتك. للسماح به افتح الإعدادات، ثم «الصوت والإذاعة»، وفعّل «السماح بالبث من شبكتي».",
    scheme: "يجب أن يبدأ العنوان بـ \u2066http://\u2069 أو \u2066https://\u2069 ثم اسم خادم الإذاعة.",
    credentials: "يجب ألا يحتوي العنوان على اسم مستخدم أو كلمة مرور.",
    spaces: "في العنوان مسافة أو علامة غير مسموح بها. انسخه مرة أخرى.",
    malformed: "هذا ليس عنوانًا كاملًا. انسخه مرة أخرى.",
    long: "العنوان أطول من اللازم: ١٠٢٤ حرفًا على الأكثر.",
    full: "القائمة ممتلئة. احذف عنصرًا أولًا.",
    gone: "ما اخترته لم يعد موجودًا. اختر من جديد.",
    file: "هذا الملف ليس على البطاقة. اختر من جديد.",
    range: "يجب أن تسبق السورة الأولى السورة الأخيرة.",
    characters: "في الاسم علامة لا يمكن حفظها. اكتبه مرة أخرى.",
    position: "لا موضع للمتابعة منه الآن.",
    noOther: "لا توجد سورة أخرى لهذا القارئ على البطاقة.",
    emptyRange: "لا توجد على البطاقة أي من هذه السور لهذا القارئ.",
    busyUpdate: "هناك تحديث جارٍ بالفعل.",
    battery: "اشحن البطارية أولًا: ٢٠٪ على الأقل، أو صِل الشاحن.",
    zone: "لا يعرف المشغّل هذه المنطقة الزمنية. اختر غيرها.",
    clock: "هذا التاريخ غير ممكن. تحقّق من ساعة هذا الجهاز.",
    place: "هذا ليس مكانًا على الأرض. تحقّق من الرقمين.",
    bundle: "لا يستطيع المشغّل استعمال هذا الملف.",
    input: "لا يقبل المشغّل هذا. تحقّق مما أدخلته.",
    part: "تعذّر ذلك على المشغّل: أحد أجزائه لا يعمل. انظر «الفحص» في الإعدادات.",
  },
};

export const apiPhrases: Translations<Phrases<typeof english>> = { en: english, ar: arabic };
