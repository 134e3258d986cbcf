import Type, { type Static } from "typebox";

export const SystemBody = Type.Object(
  {
    version: Type.String(),
    uptime: Type.Integer({ description: "seconds since the service started" }),
    free_heap: Type.Integer({ description: "available memory in bytes" }),
    nvs: Type.Object({
      used_entries: Type.Integer(),
      free_entries: Type.Integer(),
      total_entries: Type.Integer(),
      bytes: Type.Integer(),
    }),
    boot_failures: Type.Array(Type.Object({ component: Type.String(), error: Type.String() })),
    warnings: Type.Array(Type.String()),
  },
  { title: "System" },
);
export type SystemBody = Static<typeof SystemBody>;
