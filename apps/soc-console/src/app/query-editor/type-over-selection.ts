import type { EditorView } from "@codemirror/view";

/**
 * Types over a selection. Left to itself, Chromium gives the new text the style of the old one by an inline style, which
 * the content security policy refuses and reports.
 */
export function typeOverSelection(event: InputEvent, view: EditorView): boolean {
  const { selection } = view.state;
  if (event.inputType !== "insertText" || !event.data || event.isComposing || selection.main.empty) return false;
  view.dispatch(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
  return true;
}
