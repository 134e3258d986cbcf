import Type, { type Static, type TSchema } from "typebox";

/** In the order of the API document. */
export const PRAYERS = ["fajr", "sunrise", "dhuhr", "asr", "maghrib", "isha"] as const;
export type Prayer = (typeof PRAYERS)[number];

const HIGH_LATITUDE_RULES = ["middle_of_the_night", "seventh_of_the_night", "twilight_angle"] as const;
export type HighLatitudeRule = (typeof HIGH_LATITUDE_RULES)[number];

const closed = { additionalProperties: false };

const lat = Type.Number({ minimum: -90, maximum: 90 });
const lng = Type.Number({ minimum: -180, maximum: 180 });
const method = Type.Integer({
  minimum: 0,
  maximum: 4,
  description: "0 MWL, 1 ISNA, 2 Egyptian, 3 Umm al-Qura, 4 Karachi",
});
const offsets_min = Type.Array(Type.Integer({ minimum: -720, maximum: 720 }), { minItems: 6, maxItems: 6 });

const adhan = {
  enabled: Type.Boolean(),
  prayer_mask: Type.Integer({ minimum: 0, maximum: 63, description: "bit 0 is Fajr; bit 1, Sunrise, has no effect" }),
  volume: Type.Integer({ minimum: 0, maximum: 100, description: "0 keeps the current volume" }),
  path: Type.String({ maxLength: 4096, description: "empty for the built-in tone" }),
  fajr_path: Type.String({ maxLength: 4096, description: "empty: the same file as for the other prayers" }),
};

const PrayerConfig = Type.Object(
  {
    lat: Type.Optional(lat),
    lng: Type.Optional(lng),
    method,
    asr_hanafi: Type.Boolean(),
    offsets_min,
    adhan: Type.Object(adhan),
  },
  { title: "PrayerConfig" },
);
export type PrayerConfig = Static<typeof PrayerConfig>;

/** Fields that are left out stay unchanged. */
export const PrayerConfigRequest = Type.Object(
  {
    lat: Type.Optional(lat),
    lng: Type.Optional(lng),
    method: Type.Optional(method),
    asr_hanafi: Type.Optional(Type.Boolean()),
    offsets_min: Type.Optional(offsets_min),
    adhan: Type.Optional(
      Type.Object(
        {
          enabled: Type.Optional(adhan.enabled),
          prayer_mask: Type.Optional(adhan.prayer_mask),
          volume: Type.Optional(adhan.volume),
          path: Type.Optional(adhan.path),
          fajr_path: Type.Optional(adhan.fajr_path),
        },
        closed,
      ),
    ),
  },
  { title: "PrayerConfigRequest", ...closed },
);
export type PrayerConfigRequest = Static<typeof PrayerConfigRequest>;

const time = Type.String({ description: "local time HH:MM, 24 hours" });
const epoch = Type.Integer({ description: "epoch seconds" });
const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

const Times = Type.Object(
  { fajr: time, sunrise: time, dhuhr: time, asr: time, maghrib: time, isha: time },
  { title: "PrayerTimes" },
);
export type Times = Static<typeof Times>;

const NextPrayer = Type.Object(
  {
    name: Type.Enum([...PRAYERS]),
    index: Type.Integer(),
    time,
    epoch,
    countdown_s: Type.Integer(),
    tomorrow: Type.Boolean({ description: "it belongs to the next date" }),
  },
  { title: "NextPrayer" },
);

const AdhanSound = Type.Enum(["recording", "tone"], {
  title: "AdhanSound",
  description:
    "tone: the short built-in tone sounds in place of an adhan, because no recording is set or it is missing",
});
export type AdhanSound = Static<typeof AdhanSound>;

const UpcomingAdhan = Type.Object(
  {
    name: Type.Enum([...PRAYERS]),
    index: Type.Integer(),
    date: Type.String({ description: "YYYY-MM-DD, the date it was computed for" }),
    time,
    epoch,
    sound: AdhanSound,
  },
  { title: "UpcomingAdhan" },
);

const hijriDate = { year: Type.Integer(), month: Type.Integer(), day: Type.Integer() };

export const PrayerBody = Type.Object(
  {
    configured: Type.Boolean({ description: "false without a location" }),
    date: Type.String({ description: "YYYY-MM-DD, local" }),
    timezone: Type.String(),
    clock_ok: Type.Boolean(),
    times: orNull(Times),
    epochs: orNull(Type.Array(epoch)),
    next: orNull(NextPrayer),
    current: orNull(Type.Enum([...PRAYERS])),
    hijri: Type.Object(
      {
        ...hijriDate,
        month_name: Type.String(),
        month_name_ar: Type.String(),
        adjust: Type.Integer(),
      },
      { title: "HijriDate" },
    ),
    config: PrayerConfig,
    extra: Type.Object(
      {
        next_prayer: orNull(NextPrayer),
        imsak: orNull(time),
        midnight: orNull(time),
        last_third: orNull(time),
        qibla_deg: orNull(Type.Number({ description: "clockwise from north" })),
        high_latitude_rule: orNull(Type.Enum([...HIGH_LATITUDE_RULES])),
        high_latitude_applied: Type.Boolean({
          description: "the sun does not rise or set there today, so the nearest latitude where it does is used",
        }),
        upcoming: Type.Array(UpcomingAdhan),
        adhan_file_ok: Type.Boolean({
          description: "whether the adhan files exist; always true for the built-in tone",
        }),
        adhan_sound: AdhanSound,
      },
      { title: "PrayerExtra" },
    ),
  },
  { title: "Prayer" },
);
export type PrayerBody = Static<typeof PrayerBody>;

export const PrayerConfigResult = Type.Object(
  { success: Type.Boolean(), ...PrayerBody.properties },
  { title: "PrayerConfigResult" },
);

export const PrayerMonthQuery = Type.Object({ month: Type.String({ description: "YYYY-MM" }) });
export const PrayerMonthBody = Type.Object(
  {
    month: Type.String(),
    configured: Type.Boolean(),
    timezone: Type.String(),
    days: Type.Array(
      Type.Object({
        date: Type.String(),
        times: Times,
        epochs: Type.Array(epoch),
        hijri: Type.Object(hijriDate),
      }),
    ),
  },
  { title: "PrayerMonth" },
);
export type PrayerMonthBody = Static<typeof PrayerMonthBody>;
