import { Problem } from "@kit/problem";
import type { Mode, RuntimeTruthBody } from "./runtime.schema.ts";
import { buildTruth } from "./runtime.ts";

export interface RuntimeServiceDeps {
  mode: Mode;
  database: { isAvailable(): Promise<boolean> };
}
export type RuntimeService = ReturnType<typeof createRuntimeService>;

export function createRuntimeService({ mode, database }: RuntimeServiceDeps) {
  const truth = async (): Promise<RuntimeTruthBody> => buildTruth(mode, await database.isAvailable());
  return {
    truth,

    /** The source for reads now. Throws when the database is unavailable and the mode allows no showcase. */
    async choose<Source>(sources: { database: Source; showcase: Source }): Promise<Source> {
      const { read_data_source } = await truth();
      if (read_data_source === "unavailable") throw new Problem("unavailable", "the database is unavailable");
      return sources[read_data_source];
    },
  };
}
