import type { CreateHuntRequest, HuntBody } from "@soc/service/contract/logs/hunts/hunts";
import type { Changed } from "../../../app/server/changed.ts";
import type { Server } from "../../../app/server/server.ts";
import type { Listed, Wire } from "../../../app/server/wire.ts";

export type Hunt = Wire<HuntBody>;
export type HuntFields = Wire<CreateHuntRequest>;

export const huntsKeys = { list: ["hunts", "list"] };

const MAX_HUNTS = 200;

/** The newest saved hunts that the user may see. */
export function listHunts(server: Server, signal: AbortSignal) {
  return server.get<Listed<Hunt>>("/siem/hunts", { query: { limit: MAX_HUNTS }, signal });
}

export function saveHunt(server: Server, fields: HuntFields) {
  return server.post<Changed<Hunt>>("/siem/hunts", fields);
}

export function changeHunt(server: Server, id: string, fields: Partial<HuntFields>) {
  return server.patch<Changed<Hunt>>(`/siem/hunts/${id}`, fields);
}

export function deleteHunt(server: Server, id: string) {
  return server.remove<Changed<{ deleted: boolean; id: string }>>(`/siem/hunts/${id}`);
}
