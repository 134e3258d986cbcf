import { createFakeClock } from "@kit/clock/fake";
import { createIds } from "@kit/clock/ids";
import { Problem } from "@kit/problem";
import { expect, it } from "vitest";
import { createPairingService } from "./pairing.service.ts";
import { createPairingCode } from "./pairing-code.ts";

it("cannot be guessed with any number of addresses: every ten guesses close pairing for longer", async () => {
  const clock = createFakeClock();
  let code = "";
  const pairing = createPairingService({
    isOn: true,
    token: { current: () => "secret", isPaired: () => false, markPaired: () => undefined },
    address: () => "https://manara.local",
    ways: () => ({ screen: true, console: false, sound: false, button: false }),
    onCode: (digits) => {
      code = digits;
    },
    onWrongCode: () => undefined,
    clock,
    ids: createIds(clock),
  });
  const guess = (client: string) => {
    try {
      return pairing.pair(client, String((Number(code) + 1) % 1_000_000).padStart(6, "0"));
    } catch (error) {
      return error instanceof Problem ? error.kind : error;
    }
  };
  let guesses = 0;
  for (let minute = 0; minute < 24 * 60; minute += 1) {
    pairing.current();
    for (let host = 0; guess(`${minute} ${host}`) === "unauthenticated"; host += 1) guesses += 1;
    await clock.advance(60_000);
  }
  // One in a million each, so less than one in three thousand a day.
  expect(guesses).toBeGreaterThan(100);
  expect(guesses).toBeLessThan(310);
  // The QR code stays visible for the person in front of the screen.
  expect(pairing.current()).toMatchObject({ url: "https://manara.local/#secret", code: "" });
});

it("draws all codes with the same chance", () => {
  const ids = createIds(createFakeClock());
  const tenths = Array.from({ length: 10 }, () => 0);
  for (let count = 0; count < 20_000; count += 1) {
    const code = createPairingCode(ids);
    expect(code).toMatch(/^\d{6}$/);
    const tenth = Number(code.charAt(0));
    tenths[tenth] = (tenths[tenth] ?? 0) + 1;
  }
  for (const count of tenths) expect(Math.abs(count - 2000)).toBeLessThan(300);
});
