import process from "node:process";
import { createClock } from "@kit/clock";
import { runService } from "@kit/http/service";
import { createLog } from "@kit/log";
import { start } from "./composition/start.ts";

const clock = createClock();
const log = createLog({ clock, level: "info" });

await runService(process, { clock, log }, () => start({ host: process, entry: import.meta.url, clock, log }));
