import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { invalidField, Problem, rateLimited } from "@kit/problem";
import type { DeviceToken } from "../token/device-token.ts";
import type { PairingBody } from "./pairing.schema.ts";
import { createPairingCode, isSameCode } from "./pairing-code.ts";
import { PAIRING_HOLD_S } from "./press.ts";

export interface PairingServiceDeps {
  /** False when the owner has switched pairing off: the token is then read on the device itself. */
  isOn: boolean;
  token: Pick<DeviceToken, "current" | "isPaired" | "markPaired">;
  /** The address of this device's dashboard, without a path. */
  address: () => string;
  ways: () => PairingBody["ways"];
  /** A new code, and by what the person in front of the device has opened pairing. */
  onCode: (code: string, by: "button" | "console") => void;
  /** Called for every refused code. */
  onWrongCode: () => void;
  clock: Pick<Clock, "monotonicMs">;
  ids: Pick<Ids, "secret">;
}

/** What the screen shows while a person may pair. */
export interface Pairing {
  /** The dashboard with the token in its fragment, which no server ever sees. */
  url: string;
  /** Undefined until a person at the device opens pairing; till then only the QR code is drawn. */
  open: { code: string; left_s: number } | undefined;
}

export type PairingService = ReturnType<typeof createPairingService>;

interface Code {
  digits: string;
  untilMs: number;
  wrongCount: number;
  /** Wrong codes by client, so that one client alone cannot use up the guesses. */
  wrong: Map<string, number>;
}

/** Opens pairing on the device itself. */
const PAIRING_COMMAND = "manara-player pair";

const OPEN_MS = 5 * 60_000;
const MAX_WRONG_PER_CLIENT = 3;
/** So many wrong codes of all clients close pairing, until a person at the device opens it again. */
const MAX_WRONG = 10;

/**
 * Returns the token to a person who proves with a code to be at the device. A code exists only after an action at the
 * device, and works once within five minutes.
 */
export function createPairingService(deps: PairingServiceDeps) {
  const { isOn, token, address, ways, onCode, onWrongCode, clock, ids } = deps;
  let code: Code | undefined;
  let isSuspended = false;

  function open(by: "button" | "console"): Code {
    code = {
      digits: createPairingCode(ids),
      untilMs: clock.monotonicMs() + OPEN_MS,
      wrongCount: 0,
      wrong: new Map(),
    };
    onCode(code.digits, by);
    return code;
  }

  function findCode(): Code | undefined {
    if (code && code.untilMs <= clock.monotonicMs()) code = undefined;
    return code;
  }

  const leftS = ({ untilMs }: Code) => Math.ceil((untilMs - clock.monotonicMs()) / 1000);

  function countWrong(client: string, found: Code): void {
    found.wrong.set(client, (found.wrong.get(client) ?? 0) + 1);
    found.wrongCount += 1;
    if (found.wrongCount >= MAX_WRONG) code = undefined;
  }

  return {
    /** The button opens pairing, or closes it again. Returns whether it is open now. */
    toggle(): boolean {
      if (!isOn || isSuspended) return false;
      const isClosing = findCode() !== undefined;
      if (isClosing) code = undefined;
      else open("button");
      return !isClosing;
    },

    /** The command on the device opens pairing, with a new code each time. */
    openAtConsole(): { code: string; expires_in_s: number } {
      if (!isOn) throw invalidField("PLAYER_PAIRING", "is off");
      if (isSuspended) throw new Problem("unavailable", "pairing: the device is being reset");
      const opened = open("console");
      return { code: opened.digits, expires_in_s: leftS(opened) };
    },

    close(): void {
      code = undefined;
    },

    /** What a person in front of the screen may see; undefined when there is nothing. */
    current(): Pairing | undefined {
      if (!isOn || isSuspended) return undefined;
      const found = findCode();
      if (!found && token.isPaired()) return undefined;
      return {
        url: `${address()}/#${token.current()}`,
        open: found && { code: found.digits, left_s: leftS(found) },
      };
    },

    body(): PairingBody {
      const found = findCode();
      const available = isOn ? ways() : { screen: false, console: false, sound: false, button: false };
      return {
        open: found !== undefined,
        paired: token.isPaired(),
        expires_in_s: found ? leftS(found) : null,
        ways: available,
        hold_s: available.button ? PAIRING_HOLD_S : null,
        command: available.console ? PAIRING_COMMAND : null,
      };
    },

    /** Returns the device's token for the right code. Synchronous, so that of two concurrent requests one is refused. */
    pair(client: string, given: string): string {
      const found = findCode();
      if (!found) throw closed();
      if ((found.wrong.get(client) ?? 0) >= MAX_WRONG_PER_CLIENT) {
        onWrongCode();
        throw rateLimited("code: too many wrong codes; see Retry-After", found.untilMs - clock.monotonicMs());
      }
      if (!isSameCode(found.digits, given)) {
        countWrong(client, found);
        onWrongCode();
        throw new Problem("unauthenticated", "code: is wrong or no longer valid", {
          field: "code",
          code: "code_wrong",
        });
      }
      code = undefined;
      token.markPaired();
      return token.current();
    },

    /** During a reset no code is accepted: the token is about to change. Returns the function that ends this. */
    suspend(): () => void {
      isSuspended = true;
      code = undefined;
      return () => {
        isSuspended = false;
      };
    },
  };
}

function closed(): Problem {
  return invalidField("code", "pairing is closed; a person at the device opens it", { code: "pairing_closed" });
}
