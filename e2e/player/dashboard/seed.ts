import type { PlayerClient } from "../client.ts";

/** Stores a household in London: a card with one complete and one incomplete reciter, and some of everything else. */
export async function seed({ post }: Pick<PlayerClient, "post">): Promise<void> {
  const done = async (path: string, body: unknown) => {
    const { status, text } = await post(`/api${path}`, body);
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
  };
  await done("/settings", { device_name: "Living room", max_volume: 85 });
  await done("/settings/timezone", { timezone: "GMT0BST,M3.5.0/1,M10.5.0" });
  await done("/settings/time-format", { time_format_24h: true });
  await done("/prayer/config", {
    lat: 51.51,
    lng: -0.13,
    method: 0,
    adhan: { enabled: true, prayer_mask: 61, volume: 60 },
  });
  await done("/radio/stations", { name: "Makkah Live", url: "http://radio.example.com/makkah" });
  await done("/radio/stations", { name: "إذاعة القرآن الكريم من القاهرة", url: "https://radio.example.com/cairo" });
  await done("/favorites", { type: "surah", reciter: "Mishary Alafasy", surah: 18 });
  await done("/favorites", { type: "surah", reciter: "Mishary Alafasy", surah: 36 });
  await done("/favorites", { type: "stream", url: "http://radio.example.com/makkah", name: "Makkah Live" });
  await done("/schedules", {
    name: "Before Fajr",
    anchor: { prayer: 0, offset_min: -20 },
    days: 127,
    target: { type: "surah", reciter: "Mishary Alafasy", surah: 67 },
    volume: 30,
  });
  await done("/schedules", {
    name: "الكهف يوم الجمعة",
    hour: 8,
    minute: 30,
    days: 32,
    target: { type: "surah", reciter: "Mishary Alafasy", surah: 18 },
  });
  await done("/rfid/cards", {
    uid: "04A1B2C3D4E5F6",
    name: "Bedtime",
    binding: { type: "surah", reciter: "Mishary Alafasy", surah: 67 },
  });
  await done("/rfid/cards", { uid: "04112233", name: "بطاقة جدتي", binding: { type: "station", id: 1 } });
}
