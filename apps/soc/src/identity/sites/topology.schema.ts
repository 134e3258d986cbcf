import Type, { type Static } from "typebox";
import { MODES } from "../../foundation/runtime/runtime.schema.ts";
import { SiteBody } from "./sites.schema.ts";

const DEPLOYMENT_MODES = ["one_box", "cluster"] as const;

export const TopologyBody = Type.Object(
  {
    deployment_mode: Type.Enum([...DEPLOYMENT_MODES]),
    hostname: Type.String(),
    platform: Type.String(),
    runtime_mode: Type.Enum([...MODES]),
    sites: Type.Array(SiteBody),
  },
  { title: "Topology" },
);
export type TopologyBody = Static<typeof TopologyBody>;
