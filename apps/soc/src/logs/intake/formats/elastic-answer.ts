import { isFields } from "./event.ts";
import { parsed } from "./json-values.ts";

// Beats and Logstash refuse a server whose major version is lower than their own.
const VERSION = "8.19.0";
const NAME = "manara";

export const ELASTIC_INFO = {
  name: NAME,
  cluster_name: NAME,
  cluster_uuid: NAME,
  version: {
    number: VERSION,
    build_flavor: "default",
    build_type: "tar",
    build_snapshot: false,
    minimum_wire_compatibility_version: "7.17.0",
    minimum_index_compatibility_version: "7.0.0",
  },
  tagline: "You Know, for Search",
};

export const ELASTIC_LICENSE = { license: { status: "active", uid: NAME, type: "basic", issued_to: NAME } };

export const ELASTIC_HEALTH = {
  cluster_name: NAME,
  status: "green",
  timed_out: false,
  number_of_nodes: 1,
  number_of_data_nodes: 1,
};

const TYPES: ReadonlyMap<number, string> = new Map([
  [400, "illegal_argument_exception"],
  [401, "security_exception"],
  [403, "security_exception"],
  [404, "resource_not_found_exception"],
  [429, "es_rejected_execution_exception"],
  [503, "unavailable_shards_exception"],
]);

/** Formats a refusal of the platform as Elasticsearch does. */
export function toElasticError(status: number, payload: unknown) {
  const body: unknown = typeof payload === "string" ? parsed(payload) : undefined;
  const reason = isFields(body) && typeof body.detail === "string" ? body.detail : "internal error";
  const cause = { type: TYPES.get(status) ?? "exception", reason };
  return { error: { root_cause: [cause], ...cause }, status };
}
