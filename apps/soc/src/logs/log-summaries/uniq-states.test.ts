import { expect, it } from "vitest";
import { mergeUniqStates } from "./uniq-states.ts";

// Output of ClickHouse 26.7: hex(uniqState(toString(number))) FROM numbers(3), and of the first two alone.
const THREE = "000302BC4B7BBADF6DD8C1C91E61";
const TWO = "000202BC4B7BBADF6DD8";
const NONE = "0000";

it.each([
  [[NONE], 0],
  [[THREE], 3],
  [[TWO, THREE], 3],
  [[TWO, NONE, TWO], 2],
  [[], 0],
])("counts values that several states share only once: %j", (states, expected) => {
  expect(mergeUniqStates(states)).toBe(expected);
});
