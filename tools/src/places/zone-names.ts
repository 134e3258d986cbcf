/** What a place is called where the name of its time zone does not say it well. */
export const ENGLISH_NAMES: Readonly<Record<string, string>> = {
  "America/Argentina/Cordoba": "Córdoba",
  "America/Asuncion": "Asunción",
  "America/Belem": "Belém",
  "America/Bogota": "Bogotá",
  "America/Curacao": "Curaçao",
  "America/Sao_Paulo": "São Paulo",
  "America/St_Johns": "St. John's",
  "Africa/El_Aaiun": "Laayoune (El Aaiún)",
  "Africa/Lome": "Lomé",
  "Africa/Ndjamena": "N'Djamena",
  "Africa/Sao_Tome": "São Tomé",
  "Asia/Bahrain": "Manama",
  "Asia/Brunei": "Bandar Seri Begawan",
  "Asia/Ho_Chi_Minh": "Ho Chi Minh City",
  "Asia/Kuwait": "Kuwait City",
  "Asia/Qatar": "Doha",
  "Europe/Malta": "Valletta",
  "Europe/Tirane": "Tirana",
  "Europe/Vienna": "Vienna (Wien)",
  "Europe/Zurich": "Zürich",
  "Indian/Comoro": "Moroni",
  "Indian/Maldives": "Malé",
  "Indian/Mauritius": "Port Louis",
  "Indian/Reunion": "Saint-Denis (Réunion)",
};

/** One per line: the time zone and the place's Arabic name. */
export const ARABIC_NAMES = `
Asia/Riyadh الرياض
Asia/Dubai دبي
Asia/Qatar الدوحة
Asia/Bahrain المنامة
Asia/Kuwait مدينة الكويت
Asia/Muscat مسقط
Asia/Aden عدن
Asia/Baghdad بغداد
Asia/Damascus دمشق
Asia/Beirut بيروت
Asia/Amman عمّان
Asia/Gaza غزة
Asia/Hebron الخليل
Asia/Jerusalem القدس
Asia/Tehran طهران
Asia/Kabul كابل
Asia/Karachi كراتشي
Asia/Kolkata كلكتا
Asia/Dhaka دكا
Asia/Colombo كولومبو
Asia/Kathmandu كاتماندو
Asia/Thimphu تيمفو
Asia/Yangon يانغون
Asia/Bangkok بانكوك
Asia/Jakarta جاكرتا
Asia/Pontianak بونتياناك
Asia/Makassar ماكاسار
Asia/Jayapura جايابورا
Asia/Kuala_Lumpur كوالالمبور
Asia/Kuching كوتشينغ
Asia/Singapore سنغافورة
Asia/Brunei بندر سري بكاوان
Asia/Manila مانيلا
Asia/Ho_Chi_Minh مدينة هو تشي منه
Asia/Phnom_Penh بنوم بنه
Asia/Vientiane فيينتيان
Asia/Dili ديلي
Asia/Hong_Kong هونغ كونغ
Asia/Macau ماكاو
Asia/Taipei تايبيه
Asia/Shanghai شنغهاي
Asia/Urumqi أورومتشي
Asia/Tokyo طوكيو
Asia/Seoul سول
Asia/Pyongyang بيونغ يانغ
Asia/Ulaanbaatar أولان باتور
Asia/Tashkent طشقند
Asia/Samarkand سمرقند
Asia/Almaty ألماتي
Asia/Aqtau أقتاو
Asia/Aqtobe أقتوبي
Asia/Atyrau أتيراو
Asia/Bishkek بيشكيك
Asia/Dushanbe دوشنبه
Asia/Ashgabat عشق آباد
Asia/Baku باكو
Asia/Tbilisi تبليسي
Asia/Yerevan يريفان
Asia/Nicosia نيقوسيا
Asia/Famagusta فاماغوستا
Asia/Yekaterinburg يكاترينبورغ
Asia/Omsk أومسك
Asia/Novosibirsk نوفوسيبيرسك
Asia/Krasnoyarsk كراسنويارسك
Asia/Irkutsk إركوتسك
Asia/Yakutsk ياكوتسك
Asia/Vladivostok فلاديفوستوك
Africa/Cairo القاهرة
Africa/Khartoum الخرطوم
Africa/Juba جوبا
Africa/Tripoli طرابلس
Africa/Tunis تونس
Africa/Algiers الجزائر
Africa/Casablanca الدار البيضاء
Africa/El_Aaiun العيون
Africa/Ceuta سبتة
Africa/Nouakchott نواكشوط
Africa/Dakar داكار
Africa/Banjul بانجول
Africa/Bissau بيساو
Africa/Conakry كوناكري
Africa/Freetown فريتاون
Africa/Monrovia مونروفيا
Africa/Bamako باماكو
Africa/Abidjan أبيدجان
Africa/Ouagadougou واغادوغو
Africa/Accra أكرا
Africa/Lome لومي
Africa/Porto-Novo بورتو نوفو
Africa/Niamey نيامي
Africa/Lagos لاغوس
Africa/Ndjamena نجامينا
Africa/Douala دوالا
Africa/Bangui بانغي
Africa/Libreville ليبرفيل
Africa/Brazzaville برازافيل
Africa/Kinshasa كينشاسا
Africa/Lubumbashi لوبومباشي
Africa/Luanda لواندا
Africa/Addis_Ababa أديس أبابا
Africa/Asmara أسمرة
Africa/Djibouti جيبوتي
Africa/Mogadishu مقديشو
Africa/Nairobi نيروبي
Africa/Kampala كمبالا
Africa/Dar_es_Salaam دار السلام
Africa/Kigali كيغالي
Africa/Bujumbura بوجمبورا
Africa/Lusaka لوساكا
Africa/Harare هراري
Africa/Maputo مابوتو
Africa/Blantyre بلانتاير
Africa/Gaborone غابورون
Africa/Windhoek ويندهوك
Africa/Johannesburg جوهانسبرغ
Indian/Comoro موروني
Indian/Maldives ماليه
Indian/Mauritius بور لويس
Indian/Antananarivo أنتاناناريفو
Indian/Mayotte مايوت
Indian/Reunion سان دوني
Europe/Istanbul إسطنبول
Europe/London لندن
Europe/Dublin دبلن
Europe/Paris باريس
Europe/Brussels بروكسل
Europe/Amsterdam أمستردام
Europe/Luxembourg لوكسمبورغ
Europe/Berlin برلين
Europe/Zurich زيورخ
Europe/Vienna فيينا
Europe/Prague براغ
Europe/Bratislava براتيسلافا
Europe/Budapest بودابست
Europe/Warsaw وارسو
Europe/Copenhagen كوبنهاغن
Europe/Oslo أوسلو
Europe/Stockholm ستوكهولم
Europe/Helsinki هلسنكي
Europe/Tallinn تالين
Europe/Riga ريغا
Europe/Vilnius فيلنيوس
Europe/Minsk مينسك
Europe/Kyiv كييف
Europe/Chisinau كيشيناو
Europe/Bucharest بوخارست
Europe/Sofia صوفيا
Europe/Belgrade بلغراد
Europe/Sarajevo سراييفو
Europe/Zagreb زغرب
Europe/Ljubljana ليوبليانا
Europe/Podgorica بودغوريتسا
Europe/Skopje سكوبيه
Europe/Tirane تيرانا
Europe/Athens أثينا
Europe/Rome روما
Europe/Madrid مدريد
Europe/Lisbon لشبونة
Europe/Malta فاليتا
Europe/Moscow موسكو
Europe/Samara سامارا
Europe/Volgograd فولغوغراد
Europe/Astrakhan أستراخان
Europe/Saratov ساراتوف
Europe/Simferopol سيمفروبول
Europe/Kaliningrad كالينينغراد
Europe/Andorra أندورا
Europe/Monaco موناكو
Europe/Gibraltar جبل طارق
Atlantic/Reykjavik ريكيافيك
Atlantic/Canary جزر الكناري
Arctic/Longyearbyen لونغياربين
America/New_York نيويورك
America/Detroit ديترويت
America/Chicago شيكاغو
America/Denver دنفر
America/Phoenix فينيكس
America/Los_Angeles لوس أنجلوس
America/Anchorage أنكوراج
America/Kentucky/Louisville لويفيل
America/Indiana/Indianapolis إنديانابوليس
Pacific/Honolulu هونولولو
America/Toronto تورنتو
America/Edmonton إدمونتون
America/Vancouver فانكوفر
America/Winnipeg وينيبيغ
America/Halifax هاليفاكس
America/Mexico_City مكسيكو سيتي
America/Sao_Paulo ساو باولو
America/Argentina/Buenos_Aires بوينس آيرس
America/Santiago سانتياغو
America/Bogota بوغوتا
America/Caracas كاراكاس
America/Lima ليما
America/Panama بنما
America/Havana هافانا
America/Montevideo مونتيفيديو
America/Paramaribo باراماريبو
America/Guyana غيانا
America/Port_of_Spain بورت أوف سبين
Australia/Sydney سيدني
Australia/Melbourne ملبورن
Australia/Brisbane بريزبن
Australia/Adelaide أديلايد
Australia/Perth بيرث
Australia/Darwin داروين
Australia/Hobart هوبارت
Pacific/Auckland أوكلاند
Pacific/Fiji فيجي
Pacific/Noumea نوميا
`;
