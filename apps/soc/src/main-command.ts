#!/usr/bin/env node
import process from "node:process";

// The command `manara-soc`: each part is also an entry of its own.
if (process.argv[2] === "rules") await import("./main-rules.ts");
else await import("./main-verify.ts");
