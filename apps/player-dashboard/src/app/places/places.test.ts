import { describe, expect, it } from "vitest";
import { ALIASES } from "./aliases.ts";
import { readCoordinate } from "./coordinate.ts";
import { fold } from "./fold.ts";
import { createPlaceSearch } from "./place-search.ts";
import { positionWords } from "./place-words.ts";
import { countryName, distanceKm, nearestPlace, placeName, placesInZone, readPlaces, zoneNear } from "./places.ts";
import { PLACES_TEXT } from "./places-data.ts";
import { suggestCalculation } from "./suggestion.ts";
import { findZoneByRule, findZoneRule, formatRuleOffset, isSameZone, listZones } from "./zones.ts";

const places = readPlaces(PLACES_TEXT);
const search = createPlaceSearch(places);
const firstFor = (typed: string) => search(typed, 5)[0]?.name;

describe("the list of places", () => {
  it("the list of places has a position and a known time zone for every place", () => {
    expect(places.length).toBeGreaterThan(450);
    const wrong = places.filter(
      ({ name, lat, lng, zone }) => !name || !(Math.abs(lat) <= 90) || !(Math.abs(lng) <= 180) || !findZoneRule(zone),
    );
    expect(wrong).toEqual([]);
  });

  it("gives a city without a zone of its own the zone of its country", () => {
    expect(places.find(({ name }) => name === "Medina")).toEqual({
      name: "Medina",
      nameAr: "المدينة المنورة",
      country: "SA",
      lat: 24.47,
      lng: 39.61,
      zone: "Asia/Riyadh",
    });
    expect(places.find(({ name }) => name === "Dearborn")?.zone).toBe("America/Detroit");
  });

  it("the list of places has Arabic names where they exist", () => {
    const [cairo] = search("cairo", 1);
    expect(cairo && placeName(cairo, "ar")).toBe("القاهرة");
    expect(placeName({ name: "Nuuk", nameAr: "" }, "ar")).toBe("Nuuk");
    expect(countryName("EG", "ar")).toBe("مصر");
    expect(countryName("", "ar")).toBe("");
  });
});

describe("the search for a place", () => {
  it.each([
    ["mecca", "Mecca"],
    ["MÜNCHEN", "Munich (München)"],
    ["koln", "Cologne (Köln)"],
    ["اسطنبول", "Istanbul"],
    ["الاسكندرية", "Alexandria"],
    ["اسكندريه", "Alexandria"],
    ["مكه", "Mecca"],
    ["عمان", "Amman"],
    ["sao paulo", "São Paulo"],
    ["diyarbakir", "Diyarbakır"],
    ["bagh", "Baghdad"],
    ["york", "New York"],
    ["lah", "Lahore"],
    ["Makkah", "Mecca"],
    ["mekka", "Mecca"],
    ["Mekke", "Mecca"],
    ["La Mecque", "Mecca"],
    ["Madinah", "Medina"],
    ["al-Madinah", "Medina"],
    ["المدينه", "Medina"],
    ["Leeds", "Leeds"],
    ["Aqaba", "Aqaba"],
    ["العقبة", "Aqaba"],
    ["al quds", "Jerusalem"],
    ["Bombay", "Mumbai"],
    ["Jiddah", "Jeddah"],
    ["Makka", "Mecca"],
  ])("finds %s as %s", (typed, name) => {
    expect(firstFor(typed)).toBe(name);
  });

  it("the search for a place has an entry in the list for every name that has another spelling", () => {
    const names = new Set(places.map(({ name }) => name));
    expect(Object.keys(ALIASES).filter((name) => !names.has(name))).toEqual([]);
  });

  it("finds a country's cities by the country", () => {
    expect(search("Pakistan", 20).map(({ name }) => name)).toContain("Lahore");
    expect(search("المغرب", 20).map(({ name }) => name)).toContain("Rabat");
  });

  it("finds nothing for empty input", () => {
    expect(search("  ", 5)).toEqual([]);
    expect(search("qqqq", 5)).toEqual([]);
  });

  it("ignores accents, signs and case", () => {
    expect(fold("  Fès-Méknès ")).toBe("fes meknes");
    expect(fold("عَمَّان")).toBe("عمان");
  });
});

describe("the zone of a position", () => {
  it("the zone of a position is the zone of a nearby city, or the browser's zone when no city is near", () => {
    expect(zoneNear(places, { lat: 24.9, lng: 67.1 }, "Europe/Berlin")).toBe("Asia/Karachi");
    expect(zoneNear(places, { lat: -35, lng: -20.5 }, "Europe/Berlin")).toBe("Europe/Berlin");
  });
});

describe("distance", () => {
  it("is correct between Mecca and Medina", () => {
    expect(distanceKm({ lat: 21.42, lng: 39.83 }, { lat: 24.47, lng: 39.61 })).toBeCloseTo(340, -1);
  });

  it("finds the nearest place, across the date line too", () => {
    expect(nearestPlace(places, { lat: 51.49, lng: -0.2 })?.name).toBe("London");
    expect(nearestPlace(places, { lat: -18, lng: -179.9 })?.name).toBe("Fiji");
  });
});

describe("zones", () => {
  it.each([
    ["Asia/Riyadh", "<+03>-3"],
    ["America/New_York", "EST5EDT,M3.2.0,M11.1.0"],
    ["Asia/Calcutta", "IST-5:30"],
    ["Europe/Kiev", "EET-2EEST,M3.5.0/3,M10.5.0/4"],
    ["Etc/UTC", "UTC0"],
    ["UTC", "UTC0"],
  ])("has the rule of %s", (zone, rule) => {
    expect(findZoneRule(zone)).toBe(rule);
  });

  it("has no rule for an unknown zone", () => {
    expect(findZoneRule("Mars/Olympus")).toBeUndefined();
    expect(findZoneRule("")).toBeUndefined();
    expect(findZoneByRule("ABC1")).toBeUndefined();
  });

  it("knows a zone by its former name", () => {
    expect(isSameZone("Asia/Calcutta", "Asia/Kolkata")).toBe(true);
    expect(isSameZone("Asia/Riyadh", "Asia/Baghdad")).toBe(false);
    const near = placesInZone(places, (zone) => isSameZone(zone, "Asia/Calcutta"));
    expect(near[0]?.name).toBe("Kolkata");
    expect(near.map(({ country }) => country)).toEqual(near.map(() => "IN"));
  });

  it("finds a zone for a rule", () => {
    const zone = findZoneByRule("<+03>-3");
    expect(zone && findZoneRule(zone)).toBe("<+03>-3");
  });

  it("formats the offset of a rule in summer and in winter", () => {
    expect(formatRuleOffset("<+03>-3", 0)).toBe("GMT+3");
    expect(formatRuleOffset("EST5EDT,M3.2.0,M11.1.0", Date.UTC(2026, 0, 1))).toBe("GMT-5");
    expect(formatRuleOffset("EST5EDT,M3.2.0,M11.1.0", Date.UTC(2026, 6, 1))).toBe("GMT-4");
    expect(formatRuleOffset("ABC1", 0)).toBe("ABC1");
  });

  it("lists each zone once, in order, under its current name", () => {
    const names = listZones().map(({ name }) => name);
    expect(names).toEqual([...new Set(names)].toSorted());
    expect(names).toContain("Asia/Kolkata");
    expect(names).not.toContain("Asia/Calcutta");
  });
});

describe("a typed coordinate", () => {
  it.each([
    ["31.95", 31.95],
    ["-6,2", -6.2],
    [" ٣١٫٩٥ ", 31.95],
    ["21°", 21],
    ["−33.9", -33.9],
  ])("reads %s as %d", (typed, degrees) => {
    expect(readCoordinate(typed, 90)).toBe(degrees);
  });

  it.each(["", "91", "north", "1.2.3", "1e2", "Infinity"])("rejects %s", (typed) => {
    expect(readCoordinate(typed, 90)).toBeUndefined();
  });
});

describe("the words for a position", () => {
  it.each([
    [{ lat: 31.95, lng: 35.93 }, "en", "Amman, Jordan"],
    [{ lat: 31.95, lng: 35.93 }, "ar", "عمّان، الأردن"],
    [{ lat: 31.78, lng: 35.22 }, "en", "Jerusalem"],
    [{ lat: 31.2, lng: 35.7 }, "en", "Karak, Jordan"],
    [{ lat: 31.35, lng: 35.0 }, "en", "Near Hebron, Palestinian Territories"],
    [{ lat: -35, lng: -20.5 }, "en", "35.00° S, 20.50° W"],
    [{ lat: 25, lng: 10 }, "ar", "٢٥٫٠٠° شمالًا، ١٠٫٠٠° شرقًا"],
  ] as const)("%j in %s are %s", (position, language, words) => {
    expect(positionWords(position, places, language)).toBe(words);
  });
});

describe("suggestions", () => {
  const suggest = (name: string) => {
    const place = places.find((each) => each.name === name);
    if (!place) throw new Error(`${name} is not in the list`);
    return suggestCalculation(place);
  };

  it.each([
    ["Mecca", 3, false, true],
    ["Cairo", 2, false, true],
    ["Amman", 4, false, true],
    ["Jerusalem", 4, false, true],
    ["Tunis", 4, false, true],
    ["Algiers", 0, false, true],
    ["Istanbul", 0, false, true],
    ["Dearborn", 1, false, true],
    ["Lahore", 4, true, true],
    ["Lagos", 2, false, false],
    ["Surabaya", 2, false, false],
    ["Dubai", 4, false, false],
    ["Doha", 3, false, false],
    ["Berlin", 0, false, false],
    ["Paris", 0, false, false],
  ])("for %s are method %i, and say whether it is the country's own", (name, method, asr_hanafi, isOwn) => {
    expect(suggest(name)).toMatchObject({ method, asr_hanafi, isOwn });
  });

  it.each([
    ["Amman", [0, 0, 0, 0, 5, 0]],
    ["Istanbul", [0, -7, 4, 4, 7, 0]],
    ["Cairo", [0, 0, 0, 0, 0, 0]],
  ])("for %s add the minutes of its calendar", (name, offsets) => {
    expect(suggest(name).offsets_min).toEqual(offsets);
  });

  it("for an unknown country near no city are the World League's", () => {
    expect(suggestCalculation({ country: "", zone: "Europe/Berlin" })).toMatchObject({ method: 0, isOwn: false });
  });
});
