import process from "node:process";
import { Readable } from "node:stream";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { createIncomingFiles } from "../../src/adapters/files/incoming-files.ts";

// Receives a file that never ends, in a process that a test can kill.
const clock = createClock();
const incoming = createIncomingFiles({ folder: process.argv[2] ?? "", clock, ids: createIds(clock), reserveBytes: 0 });

async function* send(): AsyncGenerator<Buffer> {
  for (let sent = 0; ; sent += 1) {
    yield Buffer.alloc(65_536, sent);
    if (sent === 8) process.stdout.write("receiving\n");
    await clock.sleep(5);
  }
}

await incoming.receive(Readable.from(send()), 100_000_000);
