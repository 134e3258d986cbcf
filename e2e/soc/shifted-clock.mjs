// Loaded before a service (NODE_OPTIONS=--import): shifts its wall clock by the milliseconds in a file, live.
import { readFileSync } from "node:fs";

const RealDate = Date;
const file = process.env.SHIFTED_CLOCK_FILE;
let shiftMs = 0;
const read = () => {
  shiftMs = Number(readFileSync(file, "utf8"));
};
if (file !== undefined) {
  read();
  setInterval(read, 50).unref();
  globalThis.Date = class extends RealDate {
    constructor(...given) {
      super(...(given.length === 0 ? [RealDate.now() + shiftMs] : given));
    }
    static now() {
      return RealDate.now() + shiftMs;
    }
  };
}
