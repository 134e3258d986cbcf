import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction, type Socket } from "node:net";
import { PassThrough, type Readable } from "node:stream";
import type { Clock } from "@kit/clock";
import { invalidField, Problem } from "@kit/problem";
import { normalizeAddress } from "./address.ts";
import { readIcyAsHttp } from "./icy-status.ts";
import { onAbort } from "./on-abort.ts";
import type { Message } from "./redirect.ts";

interface Exchange {
  field: string;
  message: Message;
  /** The only addresses that may be connected to. */
  addresses: readonly string[];
  /** For the connection, with its encryption. */
  deadline: AbortSignal;
  idleTimeoutMs: number;
  signal: AbortSignal | undefined;
  clock: Pick<Clock, "deadline">;
  ca: readonly string[] | undefined;
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Readable;
}

// Node gives each address of a name 250 ms by default, which a far station over a slow line does not meet.
const ADDRESS_ATTEMPT_MS = 1000;

/** One request to one of the given addresses, and its answer as soon as its headers have arrived. */
export function exchange(given: Exchange): Promise<Answer> {
  const { field, message, addresses, deadline, idleTimeoutMs, signal, clock } = given;
  return new Promise((resolve, reject) => {
    const request = start(given);
    const connected = new AbortController();
    const settled = new AbortController();

    function fail(reason: unknown): void {
      if (settled.signal.aborted) return;
      settled.abort();
      connected.abort();
      reject(reason);
      request.destroy();
    }
    const lose = (what: string) => (cause?: unknown) => fail(lost(field, what, cause));

    onAbort(signal, settled.signal, fail);
    onAbort(deadline, connected.signal, lose("the server could not be reached in time"));
    request.once("socket", (socket) => {
      readIcyAsHttp(socket);
      socket.once("connect", () => {
        if (isPinned(socket, addresses)) return;
        fail(invalidField(field, "must lead to an address that was checked", { code: "address_forbidden" }));
      });
      socket.once(message.url.protocol === "https:" ? "secureConnect" : "connect", () => {
        connected.abort();
        socket.setTimeout(idleTimeoutMs, lose("the server did not answer in time"));
      });
    });
    // Every byte restarts the socket's own time-out but not this one, so headers cannot trickle in for ever.
    request.once("finish", () => {
      onAbort(clock.deadline(idleTimeoutMs), settled.signal, lose("the server did not answer in time"));
    });
    request.on("error", lose("the connection failed"));
    request.once("close", lose("the connection was closed"));
    request.once("response", (response) => {
      settled.abort();
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: wrapBody(request, response, given),
      });
    });
    request.end(message.body);
  });
}

function start({ message, addresses, ca }: Exchange): ClientRequest {
  const options = {
    agent: false,
    method: message.method,
    headers: { ...message.headers, host: message.url.host },
    lookup: pinnedTo(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
    // Explicit, because an environment variable could switch it off.
    rejectUnauthorized: true,
    ...(ca ? { ca: [...ca] } : {}),
  };
  return message.url.protocol === "https:" ? requestHttps(message.url, options) : requestHttp(message.url, options);
}

/** Answers what was checked instead of asking again: a name server cannot change its answer after the check. */
function pinnedTo(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_name, { all }, callback) => {
    const [first] = answers;
    // A connection that fails at once must find its listeners in place.
    queueMicrotask(() => {
      if (all || !first) callback(null, answers);
      else callback(null, first.address, first.family);
    });
  };
}

function isPinned(socket: Socket, addresses: readonly string[]): boolean {
  const remote = normalizeAddress(socket.remoteAddress ?? "");
  return addresses.some((address) => normalizeAddress(address) === remote);
}

/** The body with our errors instead of the network's. Closing it closes the connection, and the other way round. */
function wrapBody(request: ClientRequest, response: IncomingMessage, given: Exchange): Readable {
  const { field, idleTimeoutMs, signal } = given;
  const body = new PassThrough();
  const closed = new AbortController();
  const { socket } = response;
  onAbort(signal, closed.signal, (reason) => {
    body.destroy(reason instanceof Error ? reason : new Error("aborted", { cause: reason }));
  });
  socket.setTimeout(idleTimeoutMs).on("timeout", () => {
    // A paused reader also stops the traffic; do not count that silence against the server.
    if (body.writableNeedDrain || response.complete) socket.setTimeout(idleTimeoutMs);
    else body.destroy(lost(field, "the server stopped sending"));
  });
  response.on("error", (cause) => body.destroy(lost(field, "the connection broke", cause)));
  body.once("close", () => {
    closed.abort();
    request.destroy();
  });
  // A reader of the body gets its error; a caller that only wanted the status must not crash because of it.
  body.on("error", () => undefined);
  return response.pipe(body);
}

function lost(field: string, what: string, cause?: unknown): Problem {
  return new Problem("unavailable", `${field}: ${what}`, { field, cause });
}
