import { EditorView } from "@codemirror/view";

/** Design tokens are CSS variables of the page, which a shadow root inherits. */
export const queryTheme = EditorView.theme({
  "&": { backgroundColor: "transparent", color: "var(--ink)", fontSize: "12px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": {
    fontFamily: "var(--mono)",
    fontVariantLigatures: "none",
    lineHeight: "18px",
    maxHeight: "var(--query-max-height)",
  },
  ".cm-content": { padding: "5px 0", caretColor: "var(--accent)" },
  ".cm-line": { padding: "0 10px" },
  ".cm-placeholder": { color: "var(--ink-3)" },
  "&.cm-focused .cm-selectionBackground, .cm-content ::selection": { backgroundColor: "var(--selected)" },
  ".query-field": { color: "var(--ink-3)" },
  ".query-operator": { color: "var(--accent)", fontWeight: "600" },
  ".query-sign": { color: "var(--ink-3)" },
  ".query-quoted": { color: "var(--ink-2)" },
  ".query-problem": { borderBottom: "2px dotted var(--failed)" },
  ".cm-tooltip": {
    border: "1px solid var(--line)",
    borderRadius: "6px",
    backgroundColor: "var(--surface)",
    color: "var(--ink)",
    boxShadow: "var(--shadow)",
    overflow: "hidden",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", fontSize: "12px", maxHeight: "240px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": {
    display: "flex",
    gap: "16px",
    justifyContent: "space-between",
    padding: "3px 8px",
    lineHeight: "18px",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--selected)", color: "var(--ink)" },
  ".cm-completionMatchedText": { color: "var(--accent)", textDecoration: "none", fontWeight: "600" },
  ".cm-completionDetail": { color: "var(--ink-3)", fontStyle: "normal", marginLeft: "0" },
});
