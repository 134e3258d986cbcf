import { expect, it } from "vitest";
import { isChangeFromAnotherSite } from "./cross-site.ts";

const HERE = { host: "soc.example:8443" };

it.each([
  ["POST", {}, false],
  ["POST", { "sec-fetch-site": "same-origin", origin: "https://soc.example:8443" }, false],
  ["POST", { "sec-fetch-site": "none" }, false],
  ["POST", { origin: "https://soc.example:8443" }, false],
  ["GET", { "sec-fetch-site": "cross-site" }, false],
  ["POST", { "sec-fetch-site": "cross-site" }, true],
  ["POST", { "sec-fetch-site": "same-site" }, true],
  ["DELETE", { "sec-fetch-site": "cross-site", origin: "https://soc.example:8443" }, true],
  ["POST", { "sec-fetch-site": "same-origin", origin: "https://evil.example" }, true],
  ["PATCH", { origin: "https://soc.example" }, true],
  ["POST", { origin: "https://soc.example:8443.evil.example" }, true],
  ["POST", { origin: "null" }, true],
])("classifies %s with %j as a change from another site: %s", (method, headers, isForeign) => {
  expect(isChangeFromAnotherSite({ method, headers: { ...HERE, ...headers } })).toBe(isForeign);
});
