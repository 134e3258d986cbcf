import { type ApiClient, ApiError } from "../api/api-client.ts";
import { readToken } from "../browser/token-keeper.ts";
import { checkToken } from "./check-token.ts";

export type Trouble = "malformed" | "wrong" | "closed" | "tooMany" | "noAnswer";
export type UnlockResult = { token: string } | { trouble: Trouble };

const ARABIC_DIGITS = /[\u0660-\u0669]/g;
const CODE = /^\d{6}$/;

/** Parses six typed digits, in Western or Arabic form and with or without separators; undefined when they are no code. */
export function readCode(typed: string): string | undefined {
  const digits = typed
    .replace(ARABIC_DIGITS, (digit) => String(digit.charCodeAt(0) - 0x0660))
    .replace(/[\s\u200e\u200f-]/g, "");
  return CODE.test(digits) ? digits : undefined;
}

/** Finds the device's token by what the owner typed: a pairing code, or the token itself. */
export async function unlock(
  typed: string,
  createClient: (token?: string) => Pick<ApiClient, "get" | "post">,
): Promise<UnlockResult> {
  const code = readCode(typed);
  if (code !== undefined) return pair(createClient(), code);
  const token = readToken(typed);
  if (token === undefined) return { trouble: "malformed" };
  const verdict = await checkToken(createClient(token));
  return verdict === "right" ? { token } : { trouble: verdict };
}

async function pair(api: Pick<ApiClient, "post">, code: string): Promise<UnlockResult> {
  try {
    const { token } = await api.post<{ token: string }>("/pairing", { code });
    return { token };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { trouble: TROUBLES[error.status] ?? "noAnswer" };
  }
}

const TROUBLES: Readonly<Record<number, Trouble>> = { 400: "closed", 401: "wrong", 429: "tooMany" };
