import type { CreateHuntRequest, HuntBody } from "@soc/service/contract/logs/hunts/hunts";
import type { ChangeResult, ListResponse, Server, Wire } from "../../../app/server/server.ts";

export type Hunt = Wire<HuntBody>;
export type HuntFields = Wire<CreateHuntRequest>;

export const huntsKeys = { list: ["hunts", "list"] };

const MAX_HUNTS = 200;

/** The newest saved hunts that the user may see. */
export function listHunts(server: Server, signal: AbortSignal) {
  return server.get<ListResponse<Hunt>>("/siem/hunts", { query: { limit: MAX_HUNTS }, signal });
}

export function saveHunt(server: Server, fields: HuntFields) {
  return server.post<ChangeResult<Hunt>>("/siem/hunts", fields);
}

export function changeHunt(server: Server, id: string, fields: Partial<HuntFields>) {
  return server.patch<ChangeResult<Hunt>>(`/siem/hunts/${id}`, fields);
}

export function deleteHunt(server: Server, id: string) {
  return server.remove<ChangeResult<{ deleted: boolean; id: string }>>(`/siem/hunts/${id}`);
}
