// Written by tools/src/places.ts from the time zone database 2025b, which is in the public domain.

/**
 * A line per country: its code, then each place with English and Arabic name, latitude, longitude and time zone. An empty
 * name is the zone's, an empty zone that of the place before.
 */
export const PLACES_TEXT = `;,القدس,31.78,35.22,Asia/Jerusalem
AD;,أندورا,42.5,1.52,Europe/Andorra
AE;Abu Dhabi,أبوظبي,24.45,54.38,Asia/Dubai;,دبي,25.3,55.3,;Sharjah,الشارقة,25.35,55.39,
AF;Herat,هراة,34.35,62.2,Asia/Kabul;,كابل,34.52,69.2,;Kandahar,قندهار,31.61,65.71,;Mazar-i-Sharif,مزار شريف,36.71,67.11,
AG;,,17.05,-61.8,America/Antigua
AI;,,18.2,-63.07,America/Anguilla
AL;Tirana,تيرانا,41.33,19.83,Europe/Tirane
AM;,يريفان,40.18,44.5,Asia/Yerevan
AO;,لواندا,-8.8,13.23,Africa/Luanda
AR;,بوينس آيرس,-34.6,-58.45,America/Argentina/Buenos_Aires;Córdoba,,-31.4,-64.18,America/Argentina/Cordoba;,,-32.88,-68.82,America/Argentina/Mendoza;,,-24.78,-65.42,America/Argentina/Salta
AS;,,-14.27,-170.7,Pacific/Pago_Pago
AT;Vienna (Wien),فيينا,48.22,16.33,Europe/Vienna
AU;,أديلايد,-34.92,138.58,Australia/Adelaide;,بريزبن,-27.47,153.03,Australia/Brisbane;,,-31.95,141.45,Australia/Broken_Hill;,داروين,-12.47,130.83,Australia/Darwin;,هوبارت,-42.88,147.32,Australia/Hobart;,,-31.55,159.08,Australia/Lord_Howe;,ملبورن,-37.82,144.97,Australia/Melbourne;,بيرث,-31.95,115.85,Australia/Perth;,سيدني,-33.87,151.22,Australia/Sydney
AW;,,12.5,-69.97,America/Aruba
AX;,,60.1,19.95,Europe/Mariehamn
AZ;,باكو,40.38,49.85,Asia/Baku
BA;Mostar,موستار,43.34,17.81,Europe/Sarajevo;,سراييفو,43.87,18.42,
BB;,,13.1,-59.62,America/Barbados
BD;Chittagong (Chattogram),شيتاغونغ,22.36,91.78,Asia/Dhaka;,دكا,23.72,90.42,;Sylhet,سلهت,24.9,91.87,
BE;Antwerp,أنتويرب,51.22,4.4,Europe/Brussels;,بروكسل,50.83,4.33,
BF;,واغادوغو,12.37,-1.52,Africa/Ouagadougou
BG;,صوفيا,42.68,23.32,Europe/Sofia
BH;Manama,المنامة,26.38,50.58,Asia/Bahrain
BI;,بوجمبورا,-3.38,29.37,Africa/Bujumbura
BJ;,بورتو نوفو,6.48,2.62,Africa/Porto-Novo
BL;,,17.88,-62.85,America/St_Barthelemy
BM;,,32.28,-64.77,Atlantic/Bermuda
BN;Bandar Seri Begawan,بندر سري بكاوان,4.93,114.92,Asia/Brunei
BO;,,-16.5,-68.15,America/La_Paz
BQ;,,12.15,-68.28,America/Kralendijk
BR;,,-7.2,-48.2,America/Araguaina;,,-12.98,-38.52,America/Bahia;Belém,,-1.45,-48.48,America/Belem;,,2.82,-60.67,America/Boa_Vista;,,-20.45,-54.62,America/Campo_Grande;,,-15.58,-56.08,America/Cuiaba;,,-6.67,-69.87,America/Eirunepe;,,-3.72,-38.5,America/Fortaleza;,,-9.67,-35.72,America/Maceio;,,-3.13,-60.02,America/Manaus;,,-3.85,-32.42,America/Noronha;,,-8.77,-63.9,America/Porto_Velho;,,-8.05,-34.9,America/Recife;,,-9.97,-67.8,America/Rio_Branco;,,-2.43,-54.87,America/Santarem;São Paulo,ساو باولو,-23.53,-46.62,America/Sao_Paulo
BS;,,25.08,-77.35,America/Nassau
BT;,تيمفو,27.47,89.65,Asia/Thimphu
BW;,غابورون,-24.65,25.92,Africa/Gaborone
BY;,مينسك,53.9,27.57,Europe/Minsk
BZ;,,17.5,-88.2,America/Belize
CA;,,64.07,-139.42,America/Dawson;Calgary,كالغاري,51.05,-114.07,America/Edmonton;,إدمونتون,53.55,-113.47,;,هاليفاكس,44.65,-63.6,America/Halifax;,,68.35,-133.72,America/Inuvik;,,63.73,-68.47,America/Iqaluit;,,46.1,-64.78,America/Moncton;,,50.4,-104.65,America/Regina;St. John's,,47.57,-52.72,America/St_Johns;Montreal,مونتريال,45.5,-73.57,America/Toronto;Ottawa,أوتاوا,45.42,-75.7,;,تورنتو,43.65,-79.38,;,فانكوفر,49.27,-123.12,America/Vancouver;,,60.72,-135.05,America/Whitehorse;,وينيبيغ,49.88,-97.15,America/Winnipeg
CC;,,-12.17,96.92,Indian/Cocos
CD;,كينشاسا,-4.3,15.3,Africa/Kinshasa;,لوبومباشي,-11.67,27.47,Africa/Lubumbashi
CF;,بانغي,4.37,18.58,Africa/Bangui
CG;,برازافيل,-4.27,15.28,Africa/Brazzaville
CH;Geneva (Genève),جنيف,46.2,6.15,Europe/Zurich;Zürich,زيورخ,47.38,8.53,
CI;,أبيدجان,5.32,-4.03,Africa/Abidjan
CK;,,-21.23,-159.77,Pacific/Rarotonga
CL;,,-45.57,-72.07,America/Coyhaique;,,-53.15,-70.92,America/Punta_Arenas;,سانتياغو,-33.45,-70.67,America/Santiago;,,-27.15,-109.43,Pacific/Easter
CM;,دوالا,4.05,9.7,Africa/Douala
CN;Beijing,بكين,39.9,116.41,Asia/Shanghai;,شنغهاي,31.23,121.47,;Xi'an,شيآن,34.34,108.94,;,أورومتشي,43.8,87.58,Asia/Urumqi
CO;Bogotá,بوغوتا,4.6,-74.08,America/Bogota
CR;,,9.93,-84.08,America/Costa_Rica
CU;,هافانا,23.13,-82.37,America/Havana
CV;,,14.92,-23.52,Atlantic/Cape_Verde
CW;Curaçao,,12.18,-69,America/Curacao
CX;,,-10.42,105.72,Indian/Christmas
CY;,فاماغوستا,35.12,33.95,Asia/Famagusta;,نيقوسيا,35.17,33.37,Asia/Nicosia
CZ;,براغ,50.08,14.43,Europe/Prague
DE;,برلين,52.5,13.37,Europe/Berlin;Cologne (Köln),كولونيا,50.94,6.96,;Düsseldorf,دوسلدورف,51.23,6.78,;Frankfurt,فرانكفورت,50.11,8.68,;Hamburg,هامبورغ,53.55,9.99,;Munich (München),ميونخ,48.14,11.58,;Stuttgart,شتوتغارت,48.78,9.18,
DJ;,جيبوتي,11.6,43.15,Africa/Djibouti
DK;,كوبنهاغن,55.67,12.58,Europe/Copenhagen
DM;,,15.3,-61.4,America/Dominica
DO;,,18.47,-69.9,America/Santo_Domingo
DZ;,الجزائر,36.78,3.05,Africa/Algiers;Constantine,قسنطينة,36.37,6.61,;Oran,وهران,35.7,-0.63,
EC;,,-2.17,-79.83,America/Guayaquil;,,-0.9,-89.6,Pacific/Galapagos
EE;,تالين,59.42,24.75,Europe/Tallinn
EG;Alexandria,الإسكندرية,31.2,29.92,Africa/Cairo;Aswan,أسوان,24.09,32.9,;Asyut,أسيوط,27.18,31.18,;,القاهرة,30.05,31.25,;Giza,الجيزة,30.01,31.21,;Luxor,الأقصر,25.69,32.64,;Mansoura,المنصورة,31.04,31.38,;Port Said,بورسعيد,31.26,32.3,;Suez,السويس,29.97,32.53,;Tanta,طنطا,30.79,31,
EH;Laayoune (El Aaiún),العيون,27.15,-13.2,Africa/El_Aaiun
ER;,أسمرة,15.33,38.88,Africa/Asmara
ES;,سبتة,35.88,-5.32,Africa/Ceuta;,جزر الكناري,28.1,-15.4,Atlantic/Canary;Barcelona,برشلونة,41.39,2.17,Europe/Madrid;Córdoba,قرطبة,37.89,-4.78,;Granada,غرناطة,37.18,-3.6,;,مدريد,40.4,-3.68,
ET;,أديس أبابا,9.03,38.7,Africa/Addis_Ababa;Harar,هرر,9.31,42.12,
FI;,هلسنكي,60.17,24.97,Europe/Helsinki
FJ;,فيجي,-18.13,178.42,Pacific/Fiji
FK;,,-51.7,-57.85,Atlantic/Stanley
FM;,,7.42,151.78,Pacific/Chuuk;,,5.32,162.98,Pacific/Kosrae;,,6.97,158.22,Pacific/Pohnpei
FO;,,62.02,-6.77,Atlantic/Faroe
FR;Lille,ليل,50.63,3.06,Europe/Paris;Lyon,ليون,45.76,4.84,;Marseille,مرسيليا,43.3,5.37,;,باريس,48.87,2.33,;Strasbourg,ستراسبورغ,48.57,7.75,;Toulouse,تولوز,43.6,1.44,
GA;,ليبرفيل,0.38,9.45,Africa/Libreville
GB;Birmingham,برمنغهام,52.49,-1.9,Europe/London;Blackburn,بلاكبيرن,53.75,-2.48,;Bradford,برادفورد,53.8,-1.75,;Cardiff,كارديف,51.48,-3.18,;Edinburgh,إدنبرة,55.95,-3.19,;Glasgow,غلاسكو,55.86,-4.25,;Leeds,ليدز,53.8,-1.55,;Leicester,ليستر,52.64,-1.13,;Liverpool,ليفربول,53.41,-2.98,;,لندن,51.51,-0.13,;Luton,لوتون,51.88,-0.42,;Manchester,مانشستر,53.48,-2.24,;Newcastle,نيوكاسل,54.98,-1.61,;Nottingham,نوتنغهام,52.95,-1.15,;Sheffield,شيفيلد,53.38,-1.47,
GD;,,12.05,-61.75,America/Grenada
GE;,تبليسي,41.72,44.82,Asia/Tbilisi
GF;,,4.93,-52.33,America/Cayenne
GG;,,49.45,-2.54,Europe/Guernsey
GH;,أكرا,5.55,-0.22,Africa/Accra
GI;,جبل طارق,36.13,-5.35,Europe/Gibraltar
GL;,,64.18,-51.73,America/Nuuk;,,70.48,-21.97,America/Scoresbysund;,,76.57,-68.78,America/Thule
GM;,بانجول,13.47,-16.65,Africa/Banjul
GN;,كوناكري,9.52,-13.72,Africa/Conakry
GP;,,16.23,-61.53,America/Guadeloupe
GQ;,,3.75,8.78,Africa/Malabo
GR;,أثينا,37.97,23.72,Europe/Athens
GS;,,-54.27,-36.53,Atlantic/South_Georgia
GT;,,14.63,-90.52,America/Guatemala
GU;,,13.47,144.75,Pacific/Guam
GW;,بيساو,11.85,-15.58,Africa/Bissau
GY;,غيانا,6.8,-58.17,America/Guyana
HK;,هونغ كونغ,22.28,114.15,Asia/Hong_Kong
HN;,,14.1,-87.22,America/Tegucigalpa
HR;,زغرب,45.8,15.97,Europe/Zagreb
HT;,,18.53,-72.33,America/Port-au-Prince
HU;,بودابست,47.5,19.08,Europe/Budapest
ID;Banda Aceh,باندا آتشيه,5.55,95.32,Asia/Jakarta;Bandung,باندونغ,-6.91,107.61,;,جاكرتا,-6.17,106.8,;Medan,ميدان,3.6,98.67,;Palembang,بالمبانغ,-2.98,104.76,;Semarang,سمارانغ,-6.97,110.42,;Surabaya,سورابايا,-7.26,112.75,;Yogyakarta,يوغياكرتا,-7.8,110.36,;,جايابورا,-2.53,140.7,Asia/Jayapura;,ماكاسار,-5.12,119.4,Asia/Makassar;,بونتياناك,-0.03,109.33,Asia/Pontianak
IE;,دبلن,53.33,-6.25,Europe/Dublin
IM;,,54.15,-4.47,Europe/Isle_of_Man
IN;Ahmedabad,أحمد آباد,23.03,72.58,Asia/Kolkata;Bengaluru,بنغالور,12.97,77.59,;Chennai,تشيناي,13.08,80.27,;Delhi,دلهي,28.61,77.21,;Hyderabad,حيدر آباد,17.39,78.49,;,كلكتا,22.53,88.37,;Kozhikode,كاليكوت,11.25,75.78,;Lucknow,لكناو,26.85,80.95,;Mumbai,مومباي,19.08,72.88,;Srinagar,سريناغار,34.08,74.8,
IO;,,-7.33,72.42,Indian/Chagos
IQ;,بغداد,33.35,44.42,Asia/Baghdad;Basra,البصرة,30.51,47.81,;Erbil,أربيل,36.19,44.01,;Mosul,الموصل,36.34,43.13,;Najaf,النجف,32,44.34,
IR;Isfahan,أصفهان,32.65,51.67,Asia/Tehran;Mashhad,مشهد,36.3,59.61,;Qom,قم,34.64,50.88,;Shiraz,شيراز,29.59,52.58,;Tabriz,تبريز,38.08,46.29,;,طهران,35.67,51.43,
IS;,ريكيافيك,64.15,-21.85,Atlantic/Reykjavik
IT;Milan (Milano),ميلانو,45.46,9.19,Europe/Rome;,روما,41.9,12.48,
JE;,,49.18,-2.11,Europe/Jersey
JM;,,17.97,-76.79,America/Jamaica
JO;,عمّان,31.95,35.93,Asia/Amman;Aqaba,العقبة,29.53,35.01,;Irbid,إربد,32.56,35.85,;Karak,الكرك,31.18,35.7,;Madaba,مادبا,31.72,35.79,;Mafraq,المفرق,32.34,36.2,;Salt,السلط,32.04,35.73,;Zarqa,الزرقاء,32.07,36.09,
JP;,طوكيو,35.65,139.74,Asia/Tokyo
KE;Mombasa,ممباسا,-4.04,39.67,Africa/Nairobi;,نيروبي,-1.28,36.82,
KG;,بيشكيك,42.9,74.6,Asia/Bishkek;Osh,أوش,40.53,72.8,
KH;,بنوم بنه,11.55,104.92,Asia/Phnom_Penh
KI;,,-2.78,-171.72,Pacific/Kanton;,,1.87,-157.33,Pacific/Kiritimati;,,1.42,173,Pacific/Tarawa
KM;Moroni,موروني,-11.68,43.27,Indian/Comoro
KN;,,17.3,-62.72,America/St_Kitts
KP;,بيونغ يانغ,39.02,125.75,Asia/Pyongyang
KR;,سول,37.55,126.97,Asia/Seoul
KW;Kuwait City,مدينة الكويت,29.33,47.98,Asia/Kuwait
KY;,,19.3,-81.38,America/Cayman
KZ;,ألماتي,43.25,76.95,Asia/Almaty;Astana,أستانا,51.13,71.43,;Shymkent,شيمكنت,42.34,69.59,;,أقتاو,44.52,50.27,Asia/Aqtau;,أقتوبي,50.28,57.17,Asia/Aqtobe;,أتيراو,47.12,51.93,Asia/Atyrau;,,51.22,51.35,Asia/Oral;,,53.2,63.62,Asia/Qostanay;,,44.8,65.47,Asia/Qyzylorda
LA;,فيينتيان,17.97,102.6,Asia/Vientiane
LB;,بيروت,33.88,35.5,Asia/Beirut;Tripoli,طرابلس,34.44,35.83,
LC;,,14.02,-61,America/St_Lucia
LI;,,47.15,9.52,Europe/Vaduz
LK;,كولومبو,6.93,79.85,Asia/Colombo
LR;,مونروفيا,6.3,-10.78,Africa/Monrovia
LS;,,-29.47,27.5,Africa/Maseru
LT;,فيلنيوس,54.68,25.32,Europe/Vilnius
LU;,لوكسمبورغ,49.6,6.15,Europe/Luxembourg
LV;,ريغا,56.95,24.1,Europe/Riga
LY;Benghazi,بنغازي,32.12,20.07,Africa/Tripoli;Misrata,مصراتة,32.38,15.09,;,طرابلس,32.9,13.18,
MA;Agadir,أكادير,30.42,-9.6,Africa/Casablanca;,الدار البيضاء,33.65,-7.58,;Fez (Fès),فاس,34.03,-5,;Marrakesh,مراكش,31.63,-7.99,;Rabat,الرباط,34.02,-6.84,;Tangier,طنجة,35.77,-5.8,
MC;,موناكو,43.7,7.38,Europe/Monaco
MD;,كيشيناو,47,28.83,Europe/Chisinau
ME;,بودغوريتسا,42.43,19.27,Europe/Podgorica
MF;,,18.07,-63.08,America/Marigot
MG;,أنتاناناريفو,-18.92,47.52,Indian/Antananarivo
MH;,,9.08,167.33,Pacific/Kwajalein;,,7.15,171.2,Pacific/Majuro
MK;,سكوبيه,41.98,21.43,Europe/Skopje
ML;,باماكو,12.65,-8,Africa/Bamako
MM;,يانغون,16.78,96.17,Asia/Yangon
MN;,,48.02,91.65,Asia/Hovd;,أولان باتور,47.92,106.88,Asia/Ulaanbaatar
MO;,ماكاو,22.2,113.54,Asia/Macau
MP;,,15.2,145.75,Pacific/Saipan
MQ;,,14.6,-61.08,America/Martinique
MR;,نواكشوط,18.1,-15.95,Africa/Nouakchott
MS;,,16.72,-62.22,America/Montserrat
MT;Valletta,فاليتا,35.9,14.52,Europe/Malta
MU;Port Louis,بور لويس,-20.17,57.5,Indian/Mauritius
MV;Malé,ماليه,4.17,73.5,Indian/Maldives
MW;,بلانتاير,-15.78,35,Africa/Blantyre
MX;,,20.8,-105.25,America/Bahia_Banderas;,,21.08,-86.77,America/Cancun;,,28.63,-106.08,America/Chihuahua;,,31.73,-106.48,America/Ciudad_Juarez;,,29.07,-110.97,America/Hermosillo;,,25.83,-97.5,America/Matamoros;,,23.22,-106.42,America/Mazatlan;,,20.97,-89.62,America/Merida;,مكسيكو سيتي,19.4,-99.15,America/Mexico_City;,,25.67,-100.32,America/Monterrey;,,29.57,-104.42,America/Ojinaga;,,32.53,-117.02,America/Tijuana
MY;George Town (Penang),جورج تاون,5.41,100.34,Asia/Kuala_Lumpur;Johor Bahru,جوهور باهرو,1.49,103.74,;,كوالالمبور,3.17,101.7,;Kota Kinabalu,كوتا كينابالو,5.98,116.07,Asia/Kuching;,كوتشينغ,1.55,110.33,
MZ;,مابوتو,-25.97,32.58,Africa/Maputo
NA;,ويندهوك,-22.57,17.1,Africa/Windhoek
NC;,نوميا,-22.27,166.45,Pacific/Noumea
NE;,نيامي,13.52,2.12,Africa/Niamey
NF;,,-29.05,167.97,Pacific/Norfolk
NG;Abuja,أبوجا,9.06,7.49,Africa/Lagos;Kaduna,كادونا,10.52,7.44,;Kano,كانو,12,8.52,;,لاغوس,6.45,3.4,;Sokoto,سوكوتو,13.06,5.24,
NI;,,12.15,-86.28,America/Managua
NL;,أمستردام,52.37,4.9,Europe/Amsterdam;Rotterdam,روتردام,51.92,4.48,;The Hague (Den Haag),لاهاي,52.08,4.3,;Utrecht,أوترخت,52.09,5.12,
NO;,أوسلو,59.92,10.75,Europe/Oslo
NP;,كاتماندو,27.72,85.32,Asia/Kathmandu
NR;,,-0.52,166.92,Pacific/Nauru
NU;,,-19.02,-169.92,Pacific/Niue
NZ;,أوكلاند,-36.87,174.77,Pacific/Auckland;,,-43.95,-176.55,Pacific/Chatham
OM;,مسقط,23.6,58.58,Asia/Muscat;Salalah,صلالة,17.02,54.09,
PA;,بنما,8.97,-79.53,America/Panama
PE;,ليما,-12.05,-77.05,America/Lima
PF;,,-23.13,-134.95,Pacific/Gambier;,,-9,-139.5,Pacific/Marquesas;,,-17.53,-149.57,Pacific/Tahiti
PG;,,-6.22,155.57,Pacific/Bougainville;,,-9.5,147.17,Pacific/Port_Moresby
PH;Davao,دافاو,7.07,125.61,Asia/Manila;,مانيلا,14.59,120.97,;Zamboanga,زامبوانغا,6.91,122.07,
PK;Faisalabad,فيصل آباد,31.42,73.08,Asia/Karachi;Islamabad,إسلام آباد,33.68,73.05,;,كراتشي,24.87,67.05,;Lahore,لاهور,31.55,74.34,;Multan,ملتان,30.2,71.47,;Peshawar,بيشاور,34.01,71.58,;Quetta,كويتا,30.18,67,;Rawalpindi,راولبندي,33.6,73.05,
PL;,وارسو,52.25,21,Europe/Warsaw
PM;,,47.05,-56.33,America/Miquelon
PN;,,-25.07,-130.08,Pacific/Pitcairn
PR;,,18.47,-66.11,America/Puerto_Rico
PS;,غزة,31.5,34.47,Asia/Gaza;,الخليل,31.53,35.1,Asia/Hebron;Nablus,نابلس,32.22,35.26,;Ramallah,رام الله,31.9,35.2,
PT;,,37.73,-25.67,Atlantic/Azores;,,32.63,-16.9,Atlantic/Madeira;,لشبونة,38.72,-9.13,Europe/Lisbon
PW;,,7.33,134.48,Pacific/Palau
PY;Asunción,,-25.27,-57.67,America/Asuncion
QA;Doha,الدوحة,25.28,51.53,Asia/Qatar
RE;Saint-Denis (Réunion),سان دوني,-20.87,55.47,Indian/Reunion
RO;,بوخارست,44.43,26.1,Europe/Bucharest
RS;,بلغراد,44.83,20.5,Europe/Belgrade
RU;,,64.75,177.48,Asia/Anadyr;,,53.37,83.75,Asia/Barnaul;,,52.05,113.47,Asia/Chita;,إركوتسك,52.27,104.33,Asia/Irkutsk;,,53.02,158.65,Asia/Kamchatka;,,62.66,135.55,Asia/Khandyga;,كراسنويارسك,56.02,92.83,Asia/Krasnoyarsk;,,59.57,150.8,Asia/Magadan;,,53.75,87.12,Asia/Novokuznetsk;,نوفوسيبيرسك,55.03,82.92,Asia/Novosibirsk;,أومسك,55,73.4,Asia/Omsk;,,46.97,142.7,Asia/Sakhalin;,,67.47,153.72,Asia/Srednekolymsk;,,56.5,84.97,Asia/Tomsk;,,64.56,143.23,Asia/Ust-Nera;,فلاديفوستوك,43.17,131.93,Asia/Vladivostok;,ياكوتسك,62,129.67,Asia/Yakutsk;Ufa,أوفا,54.74,55.97,Asia/Yekaterinburg;,يكاترينبورغ,56.85,60.6,;,أستراخان,46.35,48.05,Europe/Astrakhan;,كالينينغراد,54.72,20.5,Europe/Kaliningrad;,,58.6,49.65,Europe/Kirov;Grozny,غروزني,43.32,45.69,Europe/Moscow;Kazan,قازان,55.79,49.12,;Makhachkala,محج قلعة,42.98,47.5,;,موسكو,55.76,37.62,;Saint Petersburg,سانت بطرسبرغ,59.94,30.31,;,سامارا,53.2,50.15,Europe/Samara;,ساراتوف,51.57,46.03,Europe/Saratov;,,54.33,48.4,Europe/Ulyanovsk;,فولغوغراد,48.73,44.42,Europe/Volgograd
RW;,كيغالي,-1.95,30.07,Africa/Kigali
SA;Abha,أبها,18.22,42.51,Asia/Riyadh;Buraidah,بريدة,26.33,43.97,;Dammam,الدمام,26.43,50.1,;Jeddah,جدة,21.49,39.19,;Mecca,مكة المكرمة,21.42,39.83,;Medina,المدينة المنورة,24.47,39.61,;,الرياض,24.63,46.72,;Tabuk,تبوك,28.38,36.57,;Taif,الطائف,21.27,40.42,
SB;,,-9.53,160.2,Pacific/Guadalcanal
SC;,,-4.67,55.47,Indian/Mahe
SD;,الخرطوم,15.6,32.53,Africa/Khartoum;Omdurman,أم درمان,15.65,32.48,;Port Sudan,بورتسودان,19.62,37.22,
SE;Gothenburg (Göteborg),غوتنبرغ,57.71,11.97,Europe/Stockholm;Malmö,مالمو,55.6,13,;,ستوكهولم,59.33,18.05,
SG;,سنغافورة,1.28,103.85,Asia/Singapore
SH;,,-15.92,-5.7,Atlantic/St_Helena
SI;,ليوبليانا,46.05,14.52,Europe/Ljubljana
SJ;,لونغياربين,78,16,Arctic/Longyearbyen
SK;,براتيسلافا,48.15,17.12,Europe/Bratislava
SL;,فريتاون,8.5,-13.25,Africa/Freetown
SM;,,43.92,12.47,Europe/San_Marino
SN;,داكار,14.67,-17.43,Africa/Dakar;Touba,طوبى,14.86,-15.88,
SO;Hargeisa,هرجيسا,9.56,44.06,Africa/Mogadishu;,مقديشو,2.07,45.37,
SR;,باراماريبو,5.83,-55.17,America/Paramaribo
SS;,جوبا,4.85,31.62,Africa/Juba
ST;São Tomé,,0.33,6.73,Africa/Sao_Tome
SV;,,13.7,-89.2,America/El_Salvador
SX;,,18.05,-63.05,America/Lower_Princes
SY;Aleppo,حلب,36.2,37.16,Asia/Damascus;,دمشق,33.5,36.3,;Homs,حمص,34.73,36.72,
SZ;,,-26.3,31.1,Africa/Mbabane
TC;,,21.47,-71.13,America/Grand_Turk
TD;N'Djamena,نجامينا,12.12,15.05,Africa/Ndjamena
TG;Lomé,لومي,6.13,1.22,Africa/Lome
TH;,بانكوك,13.75,100.52,Asia/Bangkok;Pattani,فطاني,6.87,101.25,
TJ;,دوشنبه,38.58,68.8,Asia/Dushanbe
TK;,,-9.37,-171.23,Pacific/Fakaofo
TL;,ديلي,-8.55,125.58,Asia/Dili
TM;,عشق آباد,37.95,58.38,Asia/Ashgabat
TN;Kairouan,القيروان,35.68,10.1,Africa/Tunis;Sfax,صفاقس,34.74,10.76,;,تونس,36.8,10.18,
TO;,,-21.13,-175.2,Pacific/Tongatapu
TR;Adana,أضنة,37,35.32,Europe/Istanbul;Ankara,أنقرة,39.93,32.86,;Bursa,بورصة,40.19,29.06,;Diyarbakır,ديار بكر,37.91,40.24,;Gaziantep,غازي عنتاب,37.07,37.38,;,إسطنبول,41.02,28.97,;Izmir,إزمير,38.42,27.14,;Konya,قونية,37.87,32.48,
TT;,بورت أوف سبين,10.65,-61.52,America/Port_of_Spain
TV;,,-8.52,179.22,Pacific/Funafuti
TW;,تايبيه,25.05,121.5,Asia/Taipei
TZ;,دار السلام,-6.8,39.28,Africa/Dar_es_Salaam;Zanzibar,زنجبار,-6.16,39.19,
UA;,كييف,50.43,30.52,Europe/Kyiv;,سيمفروبول,44.95,34.1,Europe/Simferopol
UG;,كمبالا,0.32,32.42,Africa/Kampala
US;,,51.88,-176.66,America/Adak;,أنكوراج,61.22,-149.9,America/Anchorage;,,43.61,-116.2,America/Boise;,شيكاغو,41.85,-87.65,America/Chicago;Dallas,دالاس,32.78,-96.8,;Houston,هيوستن,29.76,-95.37,;Minneapolis,مينيابولس,44.98,-93.27,;,دنفر,39.74,-104.98,America/Denver;Dearborn,ديربورن,42.32,-83.18,America/Detroit;,ديترويت,42.33,-83.05,;,إنديانابوليس,39.77,-86.16,America/Indiana/Indianapolis;,,58.3,-134.42,America/Juneau;,لويفيل,38.25,-85.76,America/Kentucky/Louisville;,لوس أنجلوس,34.05,-118.24,America/Los_Angeles;San Francisco,سان فرانسيسكو,37.77,-122.42,;Seattle,سياتل,47.61,-122.33,;Atlanta,أتلانتا,33.75,-84.39,America/New_York;Boston,بوسطن,42.36,-71.06,;,نيويورك,40.71,-74.01,;Paterson,باترسون,40.92,-74.17,;Philadelphia,فيلادلفيا,39.95,-75.17,;Washington,واشنطن,38.91,-77.04,;,,64.5,-165.41,America/Nome;,فينيكس,33.45,-112.07,America/Phoenix;,,57.18,-135.3,America/Sitka;,هونولولو,21.31,-157.86,Pacific/Honolulu
UY;,مونتيفيديو,-34.91,-56.21,America/Montevideo
UZ;Bukhara,بخارى,39.77,64.42,Asia/Samarkand;,سمرقند,39.67,66.8,;,طشقند,41.33,69.3,Asia/Tashkent
VA;,,41.9,12.45,Europe/Vatican
VC;,,13.15,-61.23,America/St_Vincent
VE;,كاراكاس,10.5,-66.93,America/Caracas
VG;,,18.45,-64.62,America/Tortola
VI;,,18.35,-64.93,America/St_Thomas
VN;Ho Chi Minh City,مدينة هو تشي منه,10.75,106.67,Asia/Ho_Chi_Minh
VU;,,-17.67,168.42,Pacific/Efate
WF;,,-13.3,-176.17,Pacific/Wallis
WS;,,-13.83,-171.73,Pacific/Apia
YE;,عدن,12.75,45.2,Asia/Aden;Sanaa,صنعاء,15.35,44.21,
YT;,مايوت,-12.78,45.23,Indian/Mayotte
ZA;Cape Town,كيب تاون,-33.92,18.42,Africa/Johannesburg;Durban,ديربان,-29.86,31.02,;,جوهانسبرغ,-26.25,28,
ZM;,لوساكا,-15.42,28.28,Africa/Lusaka
ZW;,هراري,-17.83,31.05,Africa/Harare`;
