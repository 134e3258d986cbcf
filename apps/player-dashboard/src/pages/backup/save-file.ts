import { after } from "../../app/browser/clock.ts";

/** Some browsers start to read only after the click. */
const KEPT_FOR_MS = 60_000;

/** Puts a text into the downloads of this browser. */
export function saveFile(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  after(KEPT_FOR_MS, () => URL.revokeObjectURL(address));
}
