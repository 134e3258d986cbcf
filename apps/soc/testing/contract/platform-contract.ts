import { openContract } from "@kit/testing/contract";

/** The contract of the platform, as the customer wrote it. */
export const { document, quote } = openContract(new URL("../../../../docs/api/contract/platform.md", import.meta.url));
