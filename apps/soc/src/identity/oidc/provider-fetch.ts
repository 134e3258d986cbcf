import { Problem } from "@kit/problem";
import type { ArrivingAnswer } from "../../foundation/outbound/dispatch.ts";
import type { OutboundService } from "../../foundation/outbound/outbound.service.ts";
import type { OidcProvider } from "./provider.ts";

/** The destination of requests to a provider's configured address, which may be private. */
export function formatProviderDestination({ id }: Pick<OidcProvider, "id">): string {
  return `oidc:${id}`;
}

/** The destination of requests to other addresses that a provider names. These must be public. */
const NAMED_BY_PROVIDER = "oidc";

const TIMEOUT_MS = 5000;
const MAX_ANSWER_BYTES = 1024 * 1024;
const SENT_HEADERS = ["accept", "authorization", "content-type"];
/** Fetch standard, null body status. */
const WITHOUT_BODY: readonly number[] = [204, 205, 304];

interface FetchOptions {
  body?: unknown;
  headers?: Record<string, string>;
  method?: string;
}

/** The `fetch` of the OpenID client, which sends through the recorded outbound service. */
export function createProviderFetch(outbound: Pick<OutboundService, "stream">, provider: OidcProvider) {
  const { origin } = new URL(provider.issuer);
  return async (url: string, { body, headers = {}, method = "GET" }: FetchOptions): Promise<Response> => {
    const isOwn = URL.canParse(url) && new URL(url).origin === origin;
    const sent = readText(body);
    const answers: Response[] = [];
    await outbound.stream(
      {
        kind: "question",
        destination: isOwn ? formatProviderDestination(provider) : NAMED_BY_PROVIDER,
        purpose: `sign-in through provider '${provider.id}'`,
        method: method === "POST" ? "POST" : "GET",
        url,
        headers: Object.fromEntries(Object.entries(headers).filter(([name]) => SENT_HEADERS.includes(name))),
        ...(sent !== undefined && { body: sent }),
        timeoutMs: TIMEOUT_MS,
      },
      async (answer) => {
        answers.push(await toResponse(answer, provider));
      },
    );
    const [answer] = answers;
    if (!answer) throw new Problem("unavailable", `provider '${provider.id}' did not answer`);
    return answer;
  };
}

function readText(body: unknown): string | undefined {
  if (body === undefined || body === null) return undefined;
  return body instanceof URLSearchParams || typeof body === "string" ? body.toString() : "";
}

async function toResponse({ status, headers, body }: ArrivingAnswer, { id }: OidcProvider): Promise<Response> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw new Problem("unavailable", `provider '${id}' sent too large a response`);
    chunks.push(chunk);
  }
  if (status < 200 || status > 599) throw new Problem("unavailable", `provider '${id}' answered ${status}`);
  const type = headers["content-type"];
  return new Response(WITHOUT_BODY.includes(status) ? null : Buffer.concat(chunks), {
    status,
    headers: type === undefined ? {} : { "content-type": type },
  });
}
