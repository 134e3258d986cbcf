import Type, { type Static } from "typebox";

const LANGUAGES = ["en", "ar"] as const;
const CARD_REMOVALS = ["continue", "pause", "stop"] as const;
const HIGH_LATITUDES = ["auto", "middle_of_the_night", "seventh_of_the_night", "twilight_angle"] as const;
const TIME_SOURCES = ["none", "rtc", "sntp", "manual"] as const;

/** What is kept across power cuts. */
export const Settings = Type.Object(
  {
    brightness: Type.Integer({ minimum: 0, maximum: 255 }),
    timezone: Type.String({ minLength: 1, maxLength: 100, description: "a POSIX rule" }),
    time_format_24h: Type.Boolean(),
    auto_resume: Type.Boolean(),
    auto_off_minutes: Type.Integer({ minimum: 0, maximum: 240, description: "0 means never" }),
    card_removal: Type.Enum([...CARD_REMOVALS], { description: "what removing an NFC card does" }),
    volume: Type.Integer({ minimum: 0, maximum: 100 }),
    max_volume: Type.Integer({ minimum: 0, maximum: 100 }),
    device_name: Type.String({ minLength: 1, maxLength: 32 }),
    language: Type.Enum([...LANGUAGES]),
    high_latitude: Type.Enum([...HIGH_LATITUDES]),
    hijri_adjust: Type.Integer({ minimum: -2, maximum: 2, description: "days" }),
    after_adhan: Type.Enum(["resume", "stay_paused"]),
    stream_retry_min: Type.Integer({ minimum: 0, maximum: 1440, description: "0 means no limit" }),
    allow_private_streams: Type.Boolean(),
  },
  { title: "Settings" },
);
export type Settings = Static<typeof Settings>;

/** Nothing here is a secret, not even a masked one. */
export const SettingsBody = Type.Object(
  {
    ssid: Type.String({ description: "empty without a network" }),
    wifi_connected: Type.Boolean(),
    ip: Type.String({ description: "empty without a network" }),
    hostname: Type.String(),
    time: Type.Integer({ description: "epoch seconds" }),
    time_synced: Type.Boolean({ description: "a time server has set the clock" }),
    time_source: Type.Enum([...TIME_SOURCES]),
    rtc_temperature: Type.Optional(Type.Number({ description: "degrees Celsius, if the clock chip measures it" })),
    ...Settings.properties,
  },
  { title: "Settings" },
);
export type SettingsBody = Static<typeof SettingsBody>;

const kept = Settings.properties;
const closed = { additionalProperties: false };
const success = Type.Boolean();

/** The settings that have no route of their own. */
export const ChangeSettingsRequest = Type.Object(
  {
    device_name: Type.Optional(kept.device_name),
    language: Type.Optional(kept.language),
    max_volume: Type.Optional(kept.max_volume),
    high_latitude: Type.Optional(kept.high_latitude),
    hijri_adjust: Type.Optional(kept.hijri_adjust),
    after_adhan: Type.Optional(kept.after_adhan),
    stream_retry_min: Type.Optional(kept.stream_retry_min),
    allow_private_streams: Type.Optional(kept.allow_private_streams),
  },
  { title: "ChangeSettingsRequest", ...closed },
);
export const ChangeSettingsResult = Type.Object(
  { success, ...SettingsBody.properties },
  { title: "ChangeSettingsResult" },
);

export const WifiRequest = Type.Object(
  {
    ssid: Type.String({ minLength: 1, maxLength: 32 }),
    password: Type.String({ maxLength: 64, description: "empty for an open network" }),
  },
  { title: "WifiRequest", ...closed },
);
export type WifiRequest = Static<typeof WifiRequest>;
export const WifiResult = Type.Object({ success, ssid: Type.String() }, { title: "WifiResult" });

/** `wpa`: WPA or WPA2, also together with WPA3. The device can join the first three kinds. */
const SECURITIES = ["open", "wpa", "wpa3", "enterprise", "wep"] as const;
export const WifiNetworksBody = Type.Object(
  {
    networks: Type.Array(
      Type.Object({
        ssid: Type.String(),
        signal: Type.Integer({ minimum: 0, maximum: 100 }),
        security: Type.Enum([...SECURITIES]),
      }),
      { description: "strongest first" },
    ),
  },
  { title: "WifiNetworks" },
);
export type WifiNetworksBody = Static<typeof WifiNetworksBody>;

export const BrightnessRequest = Type.Object(
  { brightness: kept.brightness },
  { title: "BrightnessRequest", ...closed },
);
export const BrightnessResult = Type.Object({ success, brightness: kept.brightness }, { title: "BrightnessResult" });

export const TimezoneRequest = Type.Object({ timezone: Type.String() }, { title: "TimezoneRequest", ...closed });
export const TimezoneResult = Type.Object({ success, timezone: kept.timezone }, { title: "TimezoneResult" });

export const TimeFormatRequest = Type.Object(
  { time_format_24h: kept.time_format_24h },
  { title: "TimeFormatRequest", ...closed },
);
export const TimeFormatResult = Type.Object(
  { success, time_format_24h: kept.time_format_24h },
  { title: "TimeFormatResult" },
);

export const TimeRequest = Type.Object({ epoch: Type.Integer() }, { title: "TimeRequest", ...closed });
export const TimeResult = Type.Object(
  {
    success,
    time: Type.Integer(),
    time_source: SettingsBody.properties.time_source,
  },
  { title: "TimeResult" },
);

export const AutoResumeRequest = Type.Object({ enabled: kept.auto_resume }, { title: "AutoResumeRequest", ...closed });
export const AutoResumeResult = Type.Object({ success, auto_resume: kept.auto_resume }, { title: "AutoResumeResult" });

export const AutoOffRequest = Type.Object(
  { auto_off_minutes: kept.auto_off_minutes },
  { title: "AutoOffRequest", ...closed },
);
export const AutoOffResult = Type.Object(
  { success, auto_off_minutes: kept.auto_off_minutes },
  { title: "AutoOffResult" },
);

export const CardRemovalRequest = Type.Object(
  { policy: kept.card_removal },
  { title: "CardRemovalRequest", ...closed },
);
export const CardRemovalResult = Type.Object(
  { success, card_removal: kept.card_removal },
  { title: "CardRemovalResult" },
);
