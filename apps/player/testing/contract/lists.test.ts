import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ContractDevice, MINUTE_MS, RECITER, STREAM, SURAHS, startContractDevice } from "./device.ts";
import { quote } from "./document.ts";

let device: ContractDevice;
beforeAll(async () => {
  device = await startContractDevice();
});
afterAll(() => device.close());

const SUCCESS = { status: 200, body: { success: true } };
const UNKNOWN = ["999999", "0", "-1", "nothing", "1.5", "%2e%2e"];

describe(quote("- GET /library/reciters returns the scanned reciter list."), () => {
  it("lists the reciters of the card", async () => {
    const { body } = await device.get("/library/reciters");
    expect(JSON.stringify(body.reciters)).toContain(RECITER);
    expect(body.reciters).toHaveLength(2);
  });
});

it(`${quote("| GET | /library/reciters | no | nothing | reciter list |")}`, async () => {
  const answer = await device.get("/library/reciters", { token: undefined });
  expect(answer).toMatchObject({ status: 200, body: { reciters: expect.any(Array) } });
});

describe(
  quote(
    "- GET /library/surahs?reciter=<reciter_name> returns a 114-slot availability map plus surah names for that reciter.",
  ),
  () => {
    it("has 114 slots and 114 names", async () => {
      const { body } = await device.get(`/library/surahs?reciter=${RECITER}`);
      const lists = Object.values<unknown>(body).filter((value) => Array.isArray(value));
      expect(lists.length).toBeGreaterThanOrEqual(2);
      expect(lists.map((list) => (list as unknown[]).length)).toEqual(lists.map(() => 114));
    });

    it("is true for the surahs of the reciter that are on the card, and for no other", async () => {
      const { body } = await device.get(`/library/surahs?reciter=${RECITER}`);
      const available = body.available.flatMap((is: boolean, slot: number) => (is ? [slot + 1] : []));
      expect(available).toEqual(SURAHS);
    });

    it("is the map of that reciter", async () => {
      const { body } = await device.get("/library/surahs?reciter=Minshawi");
      expect(body.available.filter(Boolean)).toHaveLength(1);
      expect(body.available[0]).toBe(true);
    });

    it("names the surahs in their order", async () => {
      const { body } = await device.get(`/library/surahs?reciter=${RECITER}`);
      expect([body.names[0], body.names[1], body.names[113]].join(" ")).toMatch(/fati.*baqara.*nas/i);
    });
  },
);

describe(
  quote("| GET | /library/surahs?reciter=<name> | no | query parameter reciter | availability map and names |"),
  () => {
    it("refuses a request without the parameter, and names it", async () => {
      const answer = await device.get("/library/surahs");
      expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining("reciter") } });
    });

    it.each(["../Husary", "Husary%00", "..", "%2e%2e%2f"])("answers no map for the name %s", async (name) => {
      expect([400, 404]).toContain((await device.get(`/library/surahs?reciter=${name}`)).status);
    });
  },
);

const SURAH = { type: "surah", reciter: RECITER, surah: 5 };
const RADIO = { type: "stream", url: STREAM, name: "Radio" };
const favorites = async () => (await device.get("/favorites")).body.favorites;

describe(quote("| GET | /favorites | no | nothing | favorites with play counts |"), () => {
  it(`${quote("- GET /favorites returns all favorites with play counts.")}`, async () => {
    const own = await startContractDevice();
    expect((await own.get("/favorites")).body.favorites).toEqual([]);
    await own.post("/favorites", SURAH);
    await own.post("/favorites", RADIO);
    const listed = (await own.get("/favorites")).body.favorites;
    expect(listed).toHaveLength(2);
    for (const each of listed) expect(each).toMatchObject({ id: expect.anything(), play_count: 0 });
    await own.close();
  });

  it("counts a play of the favorite", async () => {
    await device.post("/favorites", SURAH);
    const before = (await favorites()).find(({ surah }: { surah: number }) => surah === 5).play_count;
    await device.playFile(`${RECITER}/005.mp3`);
    await device.clock.advance(MINUTE_MS);
    expect((await favorites()).find(({ surah }: { surah: number }) => surah === 5).play_count).toBe(before + 1);
    await device.calm();
  });
});

describe(quote("| POST | /favorites | yes | add body | result object |"), () => {
  it.each([SURAH, RADIO])("adds a favorite of type $type, with the fields of its form", async (body) => {
    expect(await device.post("/favorites", body)).toMatchObject(SUCCESS);
    expect(await favorites()).toContainEqual(expect.objectContaining(body));
  });
});

describe(quote("| POST | /favorites/toggle | yes | add body | adds or removes in one call |"), () => {
  it.each([
    { ...SURAH, surah: 114 },
    { ...RADIO, url: `${STREAM}/toggled` },
  ])("$type: adds, then removes", async (body) => {
    const count = (await favorites()).length;
    expect(await device.post("/favorites/toggle", body)).toMatchObject(SUCCESS);
    expect(await favorites()).toHaveLength(count + 1);
    expect(await favorites()).toContainEqual(expect.objectContaining(body));
    expect(await device.post("/favorites/toggle", body)).toMatchObject(SUCCESS);
    expect(await favorites()).toHaveLength(count);
    expect(await favorites()).not.toContainEqual(expect.objectContaining(body));
  });
});

describe(quote("| DELETE | /favorites/{id} | yes | nothing | result object; 404 for unknown id |"), () => {
  it("removes the favorite", async () => {
    await device.post("/favorites", { ...SURAH, surah: 1 });
    const { id } = (await favorites()).find(({ surah }: { surah: number }) => surah === 1);
    expect(await device.remove(`/favorites/${id}`)).toMatchObject(SUCCESS);
    expect((await favorites()).map((each: { id: unknown }) => each.id)).not.toContain(id);
    expect((await device.remove(`/favorites/${id}`)).status).toBe(404);
  });

  it.each(UNKNOWN)("answers 404 for %s", async (id) => {
    expect(await device.remove(`/favorites/${id}`)).toMatchObject({ status: 404, body: { error: expect.any(String) } });
  });
});

const STATION = { name: "Cairo", url: "https://cairo.example.com/quran" };
const stations = async () => (await device.get("/radio/stations")).body.stations;

describe(quote("| POST | /radio/stations | yes | name, url | result object |"), () => {
  it("saves the station", async () => {
    expect(await device.post("/radio/stations", STATION)).toMatchObject(SUCCESS);
    expect(await stations()).toContainEqual(expect.objectContaining(STATION));
  });
});

describe(quote("| GET | /radio/stations | no | nothing | saved stations |"), () => {
  it(`${quote("- GET /radio/stations returns saved stations.")}`, async () => {
    await device.post("/radio/stations", { ...STATION, name: "Another", url: "https://another.example.com/quran" });
    const listed = await stations();
    expect(listed.length).toBeGreaterThanOrEqual(2);
    for (const each of listed) expect(each).toMatchObject({ id: expect.anything(), name: expect.any(String) });
  });
});

describe(quote("| DELETE | /radio/stations/{id} | yes | nothing | result object; 404 for unknown id |"), () => {
  it("removes the station", async () => {
    await device.post("/radio/stations", { name: "Short", url: "https://short.example.com/" });
    const { id } = (await stations()).find(({ name }: { name: string }) => name === "Short");
    expect(await device.remove(`/radio/stations/${id}`)).toMatchObject(SUCCESS);
    expect((await stations()).map((each: { id: unknown }) => each.id)).not.toContain(id);
    expect((await device.remove(`/radio/stations/${id}`)).status).toBe(404);
  });

  it.each(UNKNOWN)("answers 404 for %s", async (id) => {
    expect(await device.remove(`/radio/stations/${id}`)).toMatchObject({
      status: 404,
      body: { error: expect.any(String) },
    });
  });
});
