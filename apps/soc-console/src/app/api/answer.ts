/** Everything that can come back from the service. */
export type Answer<Body> = { kind: "given"; body: Body } | Refusal;

export type Refusal =
  | { kind: "refused"; status: number; detail: string; retryAfterSeconds: number | undefined }
  | { kind: "silent" };

/** Sends a request to the service itself; rejects when nothing comes back in time. */
export type Send = (path: string, options: RequestInit) => Promise<Response>;

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** The header also allows a date; the service sends seconds, and a proxy's date is no promise of the service. */
function retryAfterSecondsOf(header: string | null): number | undefined {
  return header !== null && /^\d+$/.test(header) ? Number(header) : undefined;
}

async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text();
  return text === "" ? undefined : JSON.parse(text);
}

export async function readAnswer<Body>(
  sending: Promise<Response>,
  isBody: (body: unknown) => body is Body,
): Promise<Answer<Body>> {
  try {
    const response = await sending;
    const body = await jsonOf(response);
    if (response.ok) return isBody(body) ? { kind: "given", body } : { kind: "silent" };
    const detail = isRecord(body) && typeof body.detail === "string" ? body.detail : `HTTP ${response.status}`;
    const retryAfterSeconds = retryAfterSecondsOf(response.headers.get("retry-after"));
    return { kind: "refused", status: response.status, detail, retryAfterSeconds };
  } catch {
    // No connection, no answer in time, or something in between that speaks no JSON: the service did not answer.
    return { kind: "silent" };
  }
}
