import { describeDisplay } from "../../testing/display.contract.ts";
import { createMemoryDisplay } from "./memory-display.ts";

describeDisplay("memory display", async () => {
  const display = createMemoryDisplay();
  return {
    display,
    async look() {
      const pixels = display.pixels();
      return Array.from({ length: pixels.length / 4 }, (_, index) => {
        const [red = 0, green = 0, blue = 0] = pixels.subarray(index * 4);
        return [red, green, blue] as const;
      });
    },
  };
});
