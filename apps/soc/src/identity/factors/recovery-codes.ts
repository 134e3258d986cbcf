import type { Ids } from "@kit/clock/ids";
import { sha256Hex } from "../../foundation/records/digest.ts";
import { toBase32 } from "./totp.ts";

const COUNT = 10;
/** 80 bits: a fast hash is enough, and guessing is hopeless. */
const CODE_BYTES = 10;
const CODE = /^[A-Z2-7]{16}$/;

export function createRecoveryCodes(ids: Pick<Ids, "secret">): string[] {
  return Array.from({ length: COUNT }, () => {
    const groups = toBase32(ids.secret(CODE_BYTES)).toLowerCase().match(/.{4}/g) ?? [];
    return groups.join("-");
  });
}

/** What is stored of a code, however it was typed; undefined for a text that is no such code. */
export function digestRecoveryCode(username: string, typed: string): string | undefined {
  const code = typed.replaceAll(/[\s-]/g, "").toUpperCase();
  return CODE.test(code) ? sha256Hex(JSON.stringify(["recovery code", username, code])) : undefined;
}
