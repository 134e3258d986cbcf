import type { Ids } from "@kit/clock/ids";
import type { Log } from "@kit/log";
import type { Identity } from "./enrolment.ts";
import { parseAddress } from "./platform-address.ts";
import type { PlatformClient } from "./platform-client.ts";
import { formatEvents } from "./security-event.ts";

export interface LastMessageDeps {
  client: Pick<PlatformClient, "post">;
  /** Epoch seconds. */
  nowS: () => number;
  ids: Pick<Ids, "next">;
  log: Pick<Log, "info">;
}

/** Tells the platform that the device was reset; tried once, from memory. */
export type LastMessage = (identity: Identity) => void;

/** A reset erases the key and the list of sent messages, so this is the only message that is not listed. */
export function createLastMessage({ client, nowS, ids, log }: LastMessageDeps): LastMessage {
  return ({ enrolment: { address, authority, certificate }, key }) => {
    const body = formatEvents([{ id: ids.next(), at: nowS(), type: "reset", details: { kind: "factory" } }]);
    client
      .post({ address: parseAddress(address), authority, path: "/events", body, pair: { certificate, key } })
      .catch((error: unknown) => log.info({ err: error }, "the security platform was not notified of the reset"));
  };
}
