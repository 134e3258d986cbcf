import { once } from "node:events";
import type { Clock } from "@kit/clock";
import { createTimer } from "@kit/clock/timer";
import { createServer } from "@kit/http/server";
import type { Log } from "@kit/log";
import type { AccessPoint } from "../settings/setup-network.ts";
import { answerPortal, type PortalPlace } from "./portal-answer.ts";

export interface PortalServiceDeps {
  /** The set-up network while it is open. */
  accessPoint: () => AccessPoint | undefined;
  /** Calls back when it opens or closes. Returns the function that stops listening. */
  onAccessPoint: (listener: () => void) => () => void;
  /** Undefined when this device has no such page. */
  port: number | undefined;
  toDashboardUrl: (address: string) => string;
  clock: Pick<Clock, "monotonicMs" | "sleep">;
  log: Pick<Log, "info" | "warn">;
}

type Server = ReturnType<typeof createServer>;

const MAX_CONNECTIONS = 32;
const MAX_RELEASED = 64;
const RETRY_MS = 5000;
/** A person who has just seen a page is still busy with it. */
const USE_MS = 3 * 60_000;

const WHY_NOT: Readonly<Record<string, string>> = {
  EADDRINUSE: "is already in use",
  EACCES: "may not be opened by this user",
  EADDRNOTAVAIL: "has no address yet",
};

/**
 * The pages that a phone opens automatically when it joins the set-up network: they lead to the dashboard. They are
 * served over plain HTTP, as phones require, only in the set-up network, and contain no secret.
 */
export function createPortalService(deps: PortalServiceDeps) {
  const { accessPoint, onAccessPoint, port, toDashboardUrl, clock, log } = deps;
  const retry = createTimer(clock);
  const released = new Set<string>();
  let server: Server | undefined;
  let address = "";
  let failure: { component: "set-up page"; error: string } | undefined;
  let seenMs: number | undefined;
  let tail: Promise<void> = Promise.resolve();
  let isClosed = false;

  function createPortal(place: PortalPlace): Server {
    return createServer({ maxConnections: MAX_CONNECTIONS }, (request, response) => {
      const client = request.socket.remoteAddress ?? "";
      const answer = answerPortal(
        {
          method: request.method ?? "",
          hosts: request.headersDistinct.host ?? [],
          target: request.url ?? "",
          acceptLanguage: request.headers["accept-language"] ?? "",
          isReleased: released.has(client),
        },
        place,
      );
      if (answer.step) seenMs = clock.monotonicMs();
      if (answer.step === "open" && released.size < MAX_RELEASED) released.add(client);
      response.writeHead(answer.status, { ...answer.headers }).end(request.method === "HEAD" ? "" : answer.body);
    });
  }

  async function open({ ssid, address: own }: AccessPoint, onPort: number): Promise<void> {
    const place = { ssid, address: own, port: onPort, dashboardUrl: toDashboardUrl(own) };
    const opening = createPortal(place);
    try {
      opening.listen(onPort, own);
      await once(opening, "listening");
    } catch (error) {
      const why = error instanceof Error && "code" in error ? WHY_NOT[String(error.code)] : undefined;
      if (!failure) log.warn({ err: error }, "opening the set-up page failed, will retry");
      failure = { component: "set-up page", error: `port ${onPort} ${why ?? "cannot be opened"}` };
      if (!isClosed) retry.set(RETRY_MS, follow);
      return;
    }
    failure = undefined;
    server = opening;
    address = own;
    log.info({ address, port: onPort }, "opened the set-up page");
  }

  async function shut(): Promise<void> {
    const closing = server;
    server = undefined;
    released.clear();
    if (!closing) return;
    closing.close();
    closing.closeAllConnections();
    await once(closing, "close");
  }

  async function adapt(): Promise<void> {
    const wanted = isClosed ? undefined : accessPoint();
    if (!wanted) failure = undefined;
    if (server && wanted?.address === address) return;
    await shut();
    if (wanted && port !== undefined) await open(wanted, port);
  }

  function follow(): void {
    tail = tail.then(adapt);
  }

  const stopListening = onAccessPoint(follow);

  return {
    /** Why the pages are not served although the set-up network is open. */
    failure: () => failure,

    /** Whether a person has seen a page in the last minutes. */
    isInUse: (): boolean => seenMs !== undefined && clock.monotonicMs() - seenMs < USE_MS,

    async close(): Promise<void> {
      isClosed = true;
      stopListening();
      retry.cancel();
      follow();
      await tail;
    },
  };
}
