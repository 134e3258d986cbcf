import { type ApiClient, ApiError } from "../api/api-client.ts";

/** Sends a request that requires the token. */
export async function checkToken(api: Pick<ApiClient, "get">): Promise<"right" | "wrong" | "noAnswer"> {
  try {
    await api.get("/rfid/scan");
    return "right";
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 401) return "wrong";
    // Any other answer came after the token was accepted.
    return error.status === 0 || error.status === 429 ? "noAnswer" : "right";
  }
}
