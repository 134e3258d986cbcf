import process from "node:process";
import { runMigrate } from "./boot/commands/migrate-command.ts";

process.exitCode = await runMigrate(process.env, import.meta.url, {
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
});
