import { readEnvironment } from "@kit/config";
import { invalidField } from "@kit/problem";
import Type from "typebox";
import { readDatabaseUrl } from "./config-database.ts";

const Url = Type.Optional(Type.String({ pattern: "^postgres(ql)?://" }));
const Environment = Type.Object({ SOC_DATABASE_OWNER_URL: Url, SOC_DATABASE_URL: Url });

/** The database to migrate, as its owner. The service itself never reads the owner's variable. */
export function readMigrateConfig(environment: Record<string, string | undefined>): { url: string } {
  const read = readEnvironment(Environment, environment);
  const url =
    readDatabaseUrl("SOC_DATABASE_OWNER_URL", read.SOC_DATABASE_OWNER_URL) ??
    readDatabaseUrl("SOC_DATABASE_URL", read.SOC_DATABASE_URL);
  if (url === undefined) throw invalidField("SOC_DATABASE_OWNER_URL", "is required");
  return { url };
}
