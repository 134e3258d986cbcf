import type { ApiKey } from "./api-keys-client.ts";

export type KeyState = "works" | "ends-soon" | "expired" | "ended";

const SOON_MS = 14 * 86_400_000;

/** The state of a key. A key that expires within two weeks needs a successor. */
export function readKeyState({ revoked, expires_at }: Pick<ApiKey, "revoked" | "expires_at">, now: Date): KeyState {
  const leftMs = Date.parse(expires_at) - now.getTime();
  if (revoked) return "ended";
  if (leftMs <= 0) return "expired";
  return leftMs < SOON_MS ? "ends-soon" : "works";
}
