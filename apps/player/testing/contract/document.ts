import { openContract } from "@kit/testing/contract";

/** The API document, as the customer wrote it. */
export const { document, quote } = openContract(new URL("../../../../docs/api/contract/player.md", import.meta.url));

/** One row of the endpoint tables. */
export interface DocumentedEndpoint {
  row: string;
  method: "GET" | "POST" | "DELETE";
  path: string;
  needsToken: boolean;
}

const ENDPOINT = /^\| (GET|POST|DELETE) \| (\/\S+) \| (yes|no) \|.*$/gm;

export const ENDPOINTS: readonly DocumentedEndpoint[] = [...document.matchAll(ENDPOINT)].map(
  ([row, method, path = "", auth]) => ({
    row,
    method: method as DocumentedEndpoint["method"],
    path: path.replace("<name>", "Husary"),
    needsToken: auth === "yes",
  }),
);
