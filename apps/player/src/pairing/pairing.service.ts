import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { invalidField, Problem, rateLimited } from "@kit/problem";
import type { DeviceToken } from "../token/device-token.ts";
import type { PairingBody } from "./pairing.schema.ts";
import { createPairingCode, isSameCode } from "./pairing-code.ts";

export interface PairingServiceDeps {
  /** False when the owner has switched pairing off: the token is then read on the device itself. */
  isOn: boolean;
  token: Pick<DeviceToken, "current" | "isPaired" | "markPaired">;
  /** The address of this device's dashboard, without a path. */
  address: () => string;
  ways: () => PairingBody["ways"];
  /** A code for the person in front of the device; `isByHand` when that person has just asked for it. */
  onCode: (code: string, isByHand: boolean) => void;
  /** Called for every refused code. */
  onWrongCode: () => void;
  clock: Pick<Clock, "monotonicMs">;
  ids: Pick<Ids, "secret">;
}

/** What the screen shows while a person may pair. */
export interface Pairing {
  /** The dashboard with the token in its fragment, which no server ever sees. */
  url: string;
  /** "" while wrong guesses have closed this way. */
  code: string;
  left_s: number;
  /** A person at the device asked for it; else it is open because no person has paired yet. */
  isByHand: boolean;
}

export type PairingService = ReturnType<typeof createPairingService>;

interface Code {
  digits: string;
  untilMs: number;
  /** `start`: no person has paired yet; `hand`: the button; `owner`: a page that has the token. */
  by: "start" | "hand" | "owner";
  /** Wrong codes by client, so that one client alone cannot use up the guesses. */
  wrong: Map<string, number>;
}

const OPEN_MS = 5 * 60_000;
const MAX_WRONG_PER_CLIENT = 3;
/** So many wrong codes of all clients close pairing for a while; a person at the device can open it at once. */
const MAX_WRONG = 10;
const FIRST_LOCK_MS = 60_000;
const MAX_LOCK_MS = 60 * 60_000;

/**
 * Gives the token to a person who proves by a code that they are in front of the device. One code at a time, each works
 * once and for five minutes.
 */
export function createPairingService(deps: PairingServiceDeps) {
  const { isOn, token, address, ways, onCode, onWrongCode, clock, ids } = deps;
  let code: Code | undefined;
  /** Wrong codes since a person at the device or with the token last opened pairing. */
  let wrongCount = 0;
  let lockedUntilMs = 0;
  let isSuspended = false;

  function open(by: Code["by"]): Code {
    code = { digits: createPairingCode(ids), untilMs: clock.monotonicMs() + OPEN_MS, by, wrong: new Map() };
    if (by !== "owner") onCode(code.digits, by === "hand");
    return code;
  }

  function openByHand(by: "hand" | "owner"): Code {
    wrongCount = 0;
    lockedUntilMs = 0;
    return open(by);
  }

  /** The code that is valid now. Until the first person has paired there always is one, except after wrong guesses. */
  function findCode(): Code | undefined {
    const now = clock.monotonicMs();
    if (!isOn || isSuspended) return undefined;
    const isOver = code?.by === "start" && token.isPaired();
    if (code && code.untilMs > now && !isOver) return code;
    code = undefined;
    return token.isPaired() || now < lockedUntilMs ? undefined : open("start");
  }

  /** Wrong guesses of strangers must not keep the first owner from scanning the QR code. */
  function findLocked(): Pick<Code, "digits" | "untilMs" | "by"> | undefined {
    if (!isOn || isSuspended || token.isPaired()) return undefined;
    return { digits: "", untilMs: lockedUntilMs, by: "start" };
  }

  const leftS = ({ untilMs }: Pick<Code, "untilMs">) => Math.ceil((untilMs - clock.monotonicMs()) / 1000);

  function countWrong(client: string, { wrong }: Code): void {
    wrong.set(client, (wrong.get(client) ?? 0) + 1);
    wrongCount += 1;
    if (wrongCount % MAX_WRONG > 0) return;
    const lockMs = Math.min(FIRST_LOCK_MS * 2 ** (wrongCount / MAX_WRONG - 1), MAX_LOCK_MS);
    lockedUntilMs = clock.monotonicMs() + lockMs;
    code = undefined;
  }

  function refuseTooMany(waitMs: number): never {
    onWrongCode();
    throw rateLimited("code: too many wrong codes; see Retry-After", waitMs);
  }

  return {
    /** A person at the device opens pairing, or closes it again. Returns whether it is open now. */
    toggle(): boolean {
      if (!isOn || isSuspended) return false;
      const isClosing = findCode()?.by === "hand";
      if (isClosing) code = undefined;
      else openByHand("hand");
      return !isClosing;
    },

    /** Whatever was opened by hand ends. */
    close(): void {
      code = undefined;
    },

    /** What a person in front of the device may see; undefined while pairing is closed or its code is for another page. */
    current(): Pairing | undefined {
      const found = findCode() ?? findLocked();
      if (!found || found.by === "owner") return undefined;
      const url = `${address()}/#${token.current()}`;
      return { url, code: found.digits, left_s: leftS(found), isByHand: found.by === "hand" };
    },

    body(): PairingBody {
      const found = findCode();
      const none = { screen: false, console: false, sound: false, button: false };
      return {
        open: found !== undefined,
        paired: token.isPaired(),
        expires_in_s: found ? leftS(found) : null,
        ways: isOn ? ways() : none,
      };
    },

    /** A code for another browser of the owner's, such as the page on a home screen. The device does not show it. */
    issue(): { code: string; expires_in_s: number } {
      if (!isOn || isSuspended) throw closed();
      const issued = openByHand("owner");
      return { code: issued.digits, expires_in_s: leftS(issued) };
    },

    /** Returns the device's token for the right code. Synchronous, so that of two concurrent requests one is refused. */
    pair(client: string, given: string): string {
      const now = clock.monotonicMs();
      const found = findCode();
      if (!found && isOn && now < lockedUntilMs) refuseTooMany(lockedUntilMs - now);
      if (!found) throw closed();
      if ((found.wrong.get(client) ?? 0) >= MAX_WRONG_PER_CLIENT) refuseTooMany(found.untilMs - now);
      if (!isSameCode(found.digits, given)) {
        countWrong(client, found);
        onWrongCode();
        throw new Problem("unauthenticated", "code: is wrong or no longer valid", {
          field: "code",
          code: "code_wrong",
        });
      }
      code = undefined;
      wrongCount = 0;
      token.markPaired();
      return token.current();
    },

    /** During a reset no code is accepted: the token is about to change. Returns the function that ends this. */
    suspend(): () => void {
      isSuspended = true;
      code = undefined;
      return () => {
        isSuspended = false;
        wrongCount = 0;
        lockedUntilMs = 0;
      };
    },
  };
}

function closed(): Problem {
  return invalidField("code", "pairing is closed; press the device's button", { code: "pairing_closed" });
}
