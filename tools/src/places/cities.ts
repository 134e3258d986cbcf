/**
 * Cities that no time zone is named after, by country: English name, Arabic name, latitude, longitude, and the time zone
 * where the country has several. What stands in brackets is the city's own name, so that a search finds it.
 */
export const CITIES = `
SA Asia/Riyadh
Mecca;مكة المكرمة;21.42;39.83
Medina;المدينة المنورة;24.47;39.61
Jeddah;جدة;21.49;39.19
Dammam;الدمام;26.43;50.10
Taif;الطائف;21.27;40.42
Tabuk;تبوك;28.38;36.57
Buraidah;بريدة;26.33;43.97
Abha;أبها;18.22;42.51
AE Asia/Dubai
Abu Dhabi;أبوظبي;24.45;54.38
Sharjah;الشارقة;25.35;55.39
OM Asia/Muscat
Salalah;صلالة;17.02;54.09
YE Asia/Aden
Sanaa;صنعاء;15.35;44.21
IQ Asia/Baghdad
Basra;البصرة;30.51;47.81
Mosul;الموصل;36.34;43.13
Najaf;النجف;32.00;44.34
Erbil;أربيل;36.19;44.01
SY Asia/Damascus
Aleppo;حلب;36.20;37.16
Homs;حمص;34.73;36.72
LB Asia/Beirut
Tripoli;طرابلس;34.44;35.83
JO Asia/Amman
Irbid;إربد;32.56;35.85
Zarqa;الزرقاء;32.07;36.09
Aqaba;العقبة;29.53;35.01
Karak;الكرك;31.18;35.70
Madaba;مادبا;31.72;35.79
Mafraq;المفرق;32.34;36.20
Salt;السلط;32.04;35.73
PS Asia/Hebron
Ramallah;رام الله;31.90;35.20
Nablus;نابلس;32.22;35.26
EG Africa/Cairo
Alexandria;الإسكندرية;31.20;29.92
Giza;الجيزة;30.01;31.21
Mansoura;المنصورة;31.04;31.38
Tanta;طنطا;30.79;31.00
Asyut;أسيوط;27.18;31.18
Luxor;الأقصر;25.69;32.64
Aswan;أسوان;24.09;32.90
Port Said;بورسعيد;31.26;32.30
Suez;السويس;29.97;32.53
SD Africa/Khartoum
Omdurman;أم درمان;15.65;32.48
Port Sudan;بورتسودان;19.62;37.22
LY Africa/Tripoli
Benghazi;بنغازي;32.12;20.07
Misrata;مصراتة;32.38;15.09
TN Africa/Tunis
Sfax;صفاقس;34.74;10.76
Kairouan;القيروان;35.68;10.10
DZ Africa/Algiers
Oran;وهران;35.70;-0.63
Constantine;قسنطينة;36.37;6.61
MA Africa/Casablanca
Rabat;الرباط;34.02;-6.84
Fez (Fès);فاس;34.03;-5.00
Marrakesh;مراكش;31.63;-7.99
Tangier;طنجة;35.77;-5.80
Agadir;أكادير;30.42;-9.60
SN Africa/Dakar
Touba;طوبى;14.86;-15.88
NG Africa/Lagos
Kano;كانو;12.00;8.52
Abuja;أبوجا;9.06;7.49
Kaduna;كادونا;10.52;7.44
Sokoto;سوكوتو;13.06;5.24
KE Africa/Nairobi
Mombasa;ممباسا;-4.04;39.67
TZ Africa/Dar_es_Salaam
Zanzibar;زنجبار;-6.16;39.19
SO Africa/Mogadishu
Hargeisa;هرجيسا;9.56;44.06
ET Africa/Addis_Ababa
Harar;هرر;9.31;42.12
ZA Africa/Johannesburg
Cape Town;كيب تاون;-33.92;18.42
Durban;ديربان;-29.86;31.02
TR Europe/Istanbul
Ankara;أنقرة;39.93;32.86
Konya;قونية;37.87;32.48
Izmir;إزمير;38.42;27.14
Bursa;بورصة;40.19;29.06
Gaziantep;غازي عنتاب;37.07;37.38
Diyarbakır;ديار بكر;37.91;40.24
Adana;أضنة;37.00;35.32
IR Asia/Tehran
Mashhad;مشهد;36.30;59.61
Isfahan;أصفهان;32.65;51.67
Shiraz;شيراز;29.59;52.58
Qom;قم;34.64;50.88
Tabriz;تبريز;38.08;46.29
AF Asia/Kabul
Herat;هراة;34.35;62.20
Kandahar;قندهار;31.61;65.71
Mazar-i-Sharif;مزار شريف;36.71;67.11
PK Asia/Karachi
Lahore;لاهور;31.55;74.34
Islamabad;إسلام آباد;33.68;73.05
Rawalpindi;راولبندي;33.60;73.05
Peshawar;بيشاور;34.01;71.58
Faisalabad;فيصل آباد;31.42;73.08
Multan;ملتان;30.20;71.47
Quetta;كويتا;30.18;67.00
IN Asia/Kolkata
Delhi;دلهي;28.61;77.21
Mumbai;مومباي;19.08;72.88
Hyderabad;حيدر آباد;17.39;78.49
Lucknow;لكناو;26.85;80.95
Bengaluru;بنغالور;12.97;77.59
Chennai;تشيناي;13.08;80.27
Srinagar;سريناغار;34.08;74.80
Ahmedabad;أحمد آباد;23.03;72.58
Kozhikode;كاليكوت;11.25;75.78
BD Asia/Dhaka
Chittagong (Chattogram);شيتاغونغ;22.36;91.78
Sylhet;سلهت;24.90;91.87
ID Asia/Jakarta
Surabaya;سورابايا;-7.26;112.75
Bandung;باندونغ;-6.91;107.61
Medan;ميدان;3.60;98.67
Yogyakarta;يوغياكرتا;-7.80;110.36
Semarang;سمارانغ;-6.97;110.42
Banda Aceh;باندا آتشيه;5.55;95.32
Palembang;بالمبانغ;-2.98;104.76
MY Asia/Kuala_Lumpur
Johor Bahru;جوهور باهرو;1.49;103.74
George Town (Penang);جورج تاون;5.41;100.34
Kota Kinabalu;كوتا كينابالو;5.98;116.07;Asia/Kuching
PH Asia/Manila
Zamboanga;زامبوانغا;6.91;122.07
Davao;دافاو;7.07;125.61
TH Asia/Bangkok
Pattani;فطاني;6.87;101.25
CN Asia/Shanghai
Beijing;بكين;39.90;116.41
Xi'an;شيآن;34.34;108.94
RU Europe/Moscow
Kazan;قازان;55.79;49.12
Grozny;غروزني;43.32;45.69
Makhachkala;محج قلعة;42.98;47.50
Saint Petersburg;سانت بطرسبرغ;59.94;30.31
Ufa;أوفا;54.74;55.97;Asia/Yekaterinburg
UZ Asia/Samarkand
Bukhara;بخارى;39.77;64.42
KZ Asia/Almaty
Astana;أستانا;51.13;71.43
Shymkent;شيمكنت;42.34;69.59
KG Asia/Bishkek
Osh;أوش;40.53;72.80
BA Europe/Sarajevo
Mostar;موستار;43.34;17.81
GB Europe/London
Birmingham;برمنغهام;52.49;-1.90
Bradford;برادفورد;53.80;-1.75
Blackburn;بلاكبيرن;53.75;-2.48
Leeds;ليدز;53.80;-1.55
Liverpool;ليفربول;53.41;-2.98
Newcastle;نيوكاسل;54.98;-1.61
Nottingham;نوتنغهام;52.95;-1.15
Sheffield;شيفيلد;53.38;-1.47
Manchester;مانشستر;53.48;-2.24
Leicester;ليستر;52.64;-1.13
Luton;لوتون;51.88;-0.42
Cardiff;كارديف;51.48;-3.18
Glasgow;غلاسكو;55.86;-4.25
Edinburgh;إدنبرة;55.95;-3.19
FR Europe/Paris
Marseille;مرسيليا;43.30;5.37
Lyon;ليون;45.76;4.84
Lille;ليل;50.63;3.06
Strasbourg;ستراسبورغ;48.57;7.75
Toulouse;تولوز;43.60;1.44
DE Europe/Berlin
Hamburg;هامبورغ;53.55;9.99
Cologne (Köln);كولونيا;50.94;6.96
Frankfurt;فرانكفورت;50.11;8.68
Munich (München);ميونخ;48.14;11.58
Stuttgart;شتوتغارت;48.78;9.18
Düsseldorf;دوسلدورف;51.23;6.78
NL Europe/Amsterdam
Rotterdam;روتردام;51.92;4.48
The Hague (Den Haag);لاهاي;52.08;4.30
Utrecht;أوترخت;52.09;5.12
BE Europe/Brussels
Antwerp;أنتويرب;51.22;4.40
SE Europe/Stockholm
Malmö;مالمو;55.60;13.00
Gothenburg (Göteborg);غوتنبرغ;57.71;11.97
ES Europe/Madrid
Barcelona;برشلونة;41.39;2.17
Granada;غرناطة;37.18;-3.60
Córdoba;قرطبة;37.89;-4.78
IT Europe/Rome
Milan (Milano);ميلانو;45.46;9.19
CH Europe/Zurich
Geneva (Genève);جنيف;46.20;6.15
US America/New_York
Dearborn;ديربورن;42.32;-83.18;America/Detroit
Houston;هيوستن;29.76;-95.37;America/Chicago
Dallas;دالاس;32.78;-96.80;America/Chicago
Minneapolis;مينيابولس;44.98;-93.27;America/Chicago
San Francisco;سان فرانسيسكو;37.77;-122.42;America/Los_Angeles
Seattle;سياتل;47.61;-122.33;America/Los_Angeles
Philadelphia;فيلادلفيا;39.95;-75.17
Washington;واشنطن;38.91;-77.04
Boston;بوسطن;42.36;-71.06
Atlanta;أتلانتا;33.75;-84.39
Paterson;باترسون;40.92;-74.17
CA America/Toronto
Montreal;مونتريال;45.50;-73.57
Ottawa;أوتاوا;45.42;-75.70
Calgary;كالغاري;51.05;-114.07;America/Edmonton
`;
