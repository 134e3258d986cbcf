import { ApiError } from "../../../app/server/api-error.ts";
import type { Server } from "../../../app/server/server.ts";

interface BatchAnswer<Body> {
  responses: { status: number; body: Body | { detail: string } }[];
}

/** Sends several reads as one request. Throws the first refusal. */
export async function readBatch<Body>(server: Server, paths: readonly string[], signal?: AbortSignal): Promise<Body[]> {
  const requests = paths.map((path) => ({ method: "GET", path: `/api/v1${path}` }));
  const { responses } = await server.post<BatchAnswer<Body>>("/batch", { requests }, { signal, priority: "visible" });
  return responses.map(({ status, body }) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the service and its console are one release
    if (status === 200) return body as Body;
    const detail = typeof body === "object" && body !== null && "detail" in body ? body.detail : `HTTP ${status}`;
    throw new ApiError({ status, detail });
  });
}
