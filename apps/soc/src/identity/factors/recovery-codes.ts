import type { Ids } from "@kit/clock/ids";
import { sha256Hex } from "../../foundation/records/digest.ts";
import { toBase32 } from "./totp.ts";

const COUNT = 10;
/** With 80 random bits a fast hash is enough, because guessing is infeasible. */
const CODE_BYTES = 10;
const CODE = /^[A-Z2-7]{16}$/;

export function createRecoveryCodes(ids: Pick<Ids, "secret">): string[] {
  return Array.from({ length: COUNT }, () => {
    const groups = toBase32(ids.secret(CODE_BYTES)).toLowerCase().match(/.{4}/g) ?? [];
    return groups.join("-");
  });
}

/** Returns the stored digest of a code in any notation; undefined for a text that is not a code. */
export function digestRecoveryCode(username: string, typed: string): string | undefined {
  const code = typed.replaceAll(/[\s-]/g, "").toUpperCase();
  return CODE.test(code) ? sha256Hex(JSON.stringify(["recovery code", username, code])) : undefined;
}
