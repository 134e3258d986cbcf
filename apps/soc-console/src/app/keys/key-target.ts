import type { Stroke } from "./chord.ts";

/** Properties of the focused element that decide who gets a key. */
export interface KeyTarget {
  tagName: string;
  type?: string | undefined;
  isContentEditable?: boolean | undefined;
  role?: string | undefined;
}

/** Where a key goes if no command handles it. */
export type Focus = "page" | "control" | "field";

const WITHOUT_TEXT = new Set(["button", "checkbox", "color", "file", "image", "radio", "range", "reset", "submit"]);
const CONTROLS = new Set(["A", "BUTTON", "SUMMARY", "INPUT"]);
const TEXT_ROLES = new Set(["textbox", "combobox", "searchbox", "listbox", "spinbutton"]);
const CONTROL_ROLES = new Set(["button", "link", "menuitem", "tab", "option", "checkbox", "radio", "switch"]);
/** These shortcuts edit the text of a field. */
const EDITING = new Set(["a", "c", "v", "x", "y", "z"]);
const PRESSING = /^(?:Enter|Space|Arrow.*|Home|End|PageUp|PageDown)$/;

/** The target of a key event, from its composed path: through shadow roots, from the innermost element outwards. */
export function findFocus(path: readonly KeyTarget[]): Focus {
  if (path.some(isField)) return "field";
  const [innermost] = path;
  return innermost && isControl(innermost) ? "control" : "page";
}

function isField({ tagName, type = "", isContentEditable = false, role = "" }: KeyTarget): boolean {
  if (tagName === "INPUT") return !WITHOUT_TEXT.has(type);
  return tagName === "TEXTAREA" || tagName === "SELECT" || isContentEditable || TEXT_ROLES.has(role);
}

function isControl({ tagName, role = "" }: KeyTarget): boolean {
  return CONTROLS.has(tagName) || CONTROL_ROLES.has(role);
}

/** Whether a command may handle this stroke, or the focused element needs it. */
export function mayTake({ key, isMod, isShift, isAlt }: Stroke, focus: Focus): boolean {
  if (focus === "page") return true;
  if (focus === "control") return isMod || !PRESSING.test(key);
  return key === "Escape" || (isMod && (!EDITING.has(key) || (isShift && key !== "z") || isAlt));
}
