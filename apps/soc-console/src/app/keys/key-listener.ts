import type { CommandTable } from "./command-table.ts";
import type { Command } from "./commands.ts";
import { findFocus, type KeyTarget, mayTake } from "./key-target.ts";
import { isAppleKeyboard } from "./key-words.ts";
import { type Binding, isModifierAlone, type KeyPress, type PendingKeys, pressKey } from "./keymap.ts";

/** Runs commands by their keys until the returned function is called. */
export function listenToKeys(table: CommandTable, run: (command: Command) => void): () => void {
  const isApple = isAppleKeyboard(navigator.userAgent);
  let pending: PendingKeys | undefined;

  function press(event: KeyboardEvent): void {
    // Skip events that an editor or a menu handled, and letters that an input method still composes.
    if (event.defaultPrevented || event.isComposing || isModifierAlone(event)) return;
    const pressed = pressKey(toPress(event), pending, { bindings: findActive(table, event), isApple });
    pending = pressed.pending;
    const command = pressed.id === undefined ? undefined : table.find(pressed.id);
    if (command || pending) event.preventDefault();
    if (command && (!event.repeat || command.isRepeatable)) run(command);
  }

  document.addEventListener("keydown", press);
  return () => document.removeEventListener("keydown", press);
}

function toPress(event: KeyboardEvent): KeyPress {
  const { key, code, shiftKey, ctrlKey, metaKey, altKey, timeStamp } = event;
  const isAltGraph = event.getModifierState("AltGraph");
  return { key, code, shiftKey, ctrlKey, metaKey, altKey, isAltGraph, timeStamp };
}

/** The bindings that may handle this event, given open dialogs and the focus. */
function findActive(table: CommandTable, event: KeyboardEvent): Binding[] {
  const isModal = document.querySelector("dialog:modal") !== null;
  const isFloating = document.querySelector("[popover=auto]:popover-open, [popover='']:popover-open") !== null;
  const hasSelection = document.getSelection()?.isCollapsed === false;
  const focus = findFocus(event.composedPath().flatMap(toTarget));
  return table.bindings().filter(({ id, strokes: [first] }) => {
    if (!first || (isModal && !table.find(id)?.isInDialog)) return false;
    // Escape must still close popovers, and the copy shortcut must copy the selection.
    if (isFloating && first.key === "Escape") return false;
    if (hasSelection && first.isMod && !first.isShift && first.key === "c") return false;
    return mayTake(first, focus);
  });
}

function toTarget(element: EventTarget): KeyTarget[] {
  if (!(element instanceof HTMLElement)) return [];
  const { tagName, isContentEditable } = element;
  const type = element instanceof HTMLInputElement ? element.type : undefined;
  return [{ tagName, isContentEditable, type, role: element.getAttribute("role") ?? undefined }];
}
