import type { EditorView } from "@codemirror/view";

/**
 * Replaces a selection by typed text. By default, Chromium keeps the old style with an inline style, which the content
 * security policy blocks and reports.
 */
export function typeOverSelection(event: InputEvent, view: EditorView): boolean {
  const { selection } = view.state;
  if (event.inputType !== "insertText" || !event.data || event.isComposing || selection.main.empty) return false;
  view.dispatch(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
  return true;
}
