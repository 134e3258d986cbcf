import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { type ContractDevice, RECITER, startContractDevice } from "./device.ts";
import { quote } from "./document.ts";

let device: ContractDevice;
beforeAll(async () => {
  device = await startContractDevice();
});
afterAll(() => device.close());

const SOON = { timeout: 5000, interval: 5 };
const UID = "04A1B2C3";
const LONG_UID = "04A1B2C3D4E5F6";
const CARD = { uid: UID, name: "Bedtime", binding: { type: "surah", reciter: RECITER, surah: 2 } };
const cards = async () => (await device.get("/rfid/cards")).body.cards;
const scan = async () => (await device.get("/rfid/scan")).body;

async function tap(uid: string): Promise<void> {
  device.reader.tap(uid);
  await device.clock.advance(0);
  device.reader.lift();
  await device.clock.advance(2000);
}

it(quote("When nothing has been tapped yet it returns uid as an empty string and age_ms as -1."), async () => {
  expect(await scan()).toMatchObject({ uid: "", age_ms: -1, registered: false });
});

it(quote("binds NFC cards to actions"), async () => {
  const uid = "04D4E5F6";
  await device.post("/rfid/cards", { ...CARD, uid });
  device.reader.tap(uid);
  await vi.waitFor(
    async () => expect(await device.status()).toMatchObject({ state: "playing", track: `${RECITER}/002.mp3` }),
    SOON,
  );
  device.reader.lift();
  await device.clock.advance(2000);
  await device.remove(`/rfid/cards/${uid}`);
  await device.calm();
});

describe(quote("| POST | /rfid/cards | yes | uid, name, binding | result object |"), () => {
  it("registers the card", async () => {
    expect(await device.post("/rfid/cards", CARD)).toMatchObject({ status: 200, body: { success: true } });
    expect(await cards()).toContainEqual(expect.objectContaining({ uid: UID, name: "Bedtime" }));
  });
});

describe(quote("| GET | /rfid/cards | yes | nothing | registered cards |"), () => {
  it("lists every registered card", async () => {
    await device.post("/rfid/cards", { ...CARD, uid: LONG_UID, name: "Morning" });
    expect((await cards()).map(({ uid }: { uid: string }) => uid).toSorted()).toEqual([UID, LONG_UID]);
    await device.remove(`/rfid/cards/${LONG_UID}`);
  });
});

describe(
  quote("- GET /rfid/scan returns uid (string), uid_len (integer), registered (boolean), age_ms (integer)."),
  () => {
    it.each([
      [UID, 4, true],
      [LONG_UID, 7, false],
      ["04A1B2C3D4E5F6070809", 10, false],
    ])("%s has %d bytes, registered: %s", async (uid, uid_len, registered) => {
      await tap(uid);
      expect(await scan()).toEqual({ uid, uid_len, registered, age_ms: 2000 });
    });

    it("grows older", async () => {
      await tap(UID);
      await device.clock.advance(5000);
      expect((await scan()).age_ms).toBe(7000);
    });
  },
);

it(quote("| GET | /rfid/scan | yes | nothing | last tapped UID object |"), async () => {
  await tap(UID);
  await tap(LONG_UID);
  expect((await scan()).uid).toBe(LONG_UID);
});

describe(quote("| DELETE | /rfid/cards/{uid} | yes | nothing | result object; 404 for unknown uid |"), () => {
  it("removes the card, which is then not registered", async () => {
    await device.post("/rfid/cards", CARD);
    expect(await device.remove(`/rfid/cards/${UID}`)).toMatchObject({ status: 200, body: { success: true } });
    expect(await cards()).toEqual([]);
    await tap(UID);
    expect((await scan()).registered).toBe(false);
    expect((await device.remove(`/rfid/cards/${UID}`)).status).toBe(404);
  });

  it.each(["04FFFFFF", "nothing", "%2e%2e"])("answers 404 for %s", async (uid) => {
    expect(await device.remove(`/rfid/cards/${uid}`)).toMatchObject({
      status: 404,
      body: { error: expect.any(String) },
    });
  });
});

describe("a tap on the WebSocket", () => {
  const frames: { type: string; data: { uid: string } }[] = [];
  let socket: WebSocket;
  beforeAll(async () => {
    await device.app.listen({ host: "127.0.0.1", port: 0 });
    socket = new WebSocket(`ws://127.0.0.1:${(device.app.server.address() as AddressInfo).port}/ws`);
    socket.on("message", (message) => frames.push(JSON.parse((message as Buffer).toString("utf8"))));
    await once(socket, "message");
  });
  afterAll(() => socket.terminate());

  const untilFrame = (uid: string) =>
    vi.waitFor(() => expect(frames.filter(({ type }) => type === "nfc").at(-1)?.data.uid).toBe(uid), SOON);

  it(
    quote("A tap also arrives live as a WebSocket message named nfc; GET /rfid/scan is the polling fallback."),
    async () => {
      await tap(LONG_UID);
      await untilFrame(LONG_UID);
      expect((await scan()).uid).toBe(LONG_UID);
    },
  );

  it(quote("- A message named nfc is sent when a card is tapped."), async () => {
    const count = frames.filter(({ type }) => type === "nfc").length;
    await tap(UID);
    await untilFrame(UID);
    expect(frames.filter(({ type }) => type === "nfc")).toHaveLength(count + 1);
  });

  it(`carries the UID of a card that is not registered: ${quote("Payload of the nfc message: not shown beyond it carrying the tapped UID.")}`, async () => {
    await tap("04FFFFFF");
    await untilFrame("04FFFFFF");
  });
});
