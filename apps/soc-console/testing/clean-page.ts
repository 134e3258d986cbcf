import { afterEach } from "vitest";
import { cleanup } from "vitest-browser-react";

// All test files share one page: the hook of vitest-browser-react is registered for the first of them only.
afterEach(async () => {
  await cleanup();
  localStorage.clear();
  document.documentElement.dir = "ltr";
  document.getSelection()?.removeAllRanges();
});
