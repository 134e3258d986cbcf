import { type FocusEvent, type SyntheticEvent, useRef } from "react";

/** What was selected in the plain box that had the focus until its editor was loaded. */
export interface PlainSelection {
  anchor: number;
  head: number;
}

/** Watches the plain box in which a person writes until an editor has loaded, so that the editor can go on there. */
export function usePlainSelection() {
  const selection = useRef<PlainSelection | undefined>(undefined);
  const remember = ({ currentTarget }: SyntheticEvent<HTMLTextAreaElement>) => {
    selection.current = { anchor: currentTarget.selectionStart, head: currentTarget.selectionEnd };
  };
  return {
    /** Undefined while the box has no focus. */
    selected: () => selection.current,
    box: {
      onFocus: remember,
      onSelect: remember,
      // The event of a selection comes later than that of the text.
      onInput: remember,
      onBlur({ currentTarget }: FocusEvent<HTMLTextAreaElement>) {
        // Removed with the focus inside it, it has no next target and is no longer shown.
        if (currentTarget.checkVisibility()) selection.current = undefined;
      },
    },
  };
}
