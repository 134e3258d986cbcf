import { createFakeClock } from "@kit/clock/fake";
import { createIds } from "@kit/clock/ids";
import { Problem } from "@kit/problem";
import { expect, it } from "vitest";
import { createPairingService } from "./pairing.service.ts";
import { createPairingCode } from "./pairing-code.ts";

it("can be guessed ten times, with any number of addresses, after a person has opened pairing", async () => {
  const clock = createFakeClock();
  const codes: string[] = [];
  const pairing = createPairingService({
    isOn: true,
    token: { current: () => "secret", isPaired: () => false, markPaired: () => undefined },
    address: () => "https://manara.local",
    ways: () => ({ screen: true, console: true, sound: false, button: true }),
    onCode: (digits) => void codes.push(digits),
    onWrongCode: () => undefined,
    clock,
    ids: createIds(clock),
  });
  const guess = (client: string) => {
    try {
      return pairing.pair(client, String((Number(codes.at(-1)) + 1) % 1_000_000).padStart(6, "0"));
    } catch (error) {
      return error instanceof Problem ? error.kind : error;
    }
  };
  for (let opening = 0; opening < 3; opening += 1) {
    pairing.toggle();
    const guesses = Array.from({ length: 40 }, (_, host) => guess(`${opening} ${host}`));
    expect(guesses.filter((each) => each === "unauthenticated")).toHaveLength(10);
    await clock.advance(24 * 60 * 60_000);
  }
  // No time of day and no guess makes a code.
  expect(codes).toHaveLength(3);
  expect(pairing.current()).toEqual({ url: "https://manara.local/#secret", open: undefined });
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
