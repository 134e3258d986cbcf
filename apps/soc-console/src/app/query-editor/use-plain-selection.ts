import { type FocusEvent, type SyntheticEvent, useRef } from "react";

/** The selection in the plain field when its editor finished loading. */
export interface PlainSelection {
  anchor: number;
  head: number;
}

/** Tracks the plain field until the editor has loaded, so that the user can continue typing there. */
export function usePlainSelection() {
  const selection = useRef<PlainSelection | undefined>(undefined);
  const remember = ({ currentTarget }: SyntheticEvent<HTMLTextAreaElement>) => {
    selection.current = { anchor: currentTarget.selectionStart, head: currentTarget.selectionEnd };
  };
  return {
    /** Undefined while the field has no focus. */
    selected: () => selection.current,
    box: {
      onFocus: remember,
      onSelect: remember,
      // The selection event fires after the input event.
      onInput: remember,
      onBlur({ currentTarget }: FocusEvent<HTMLTextAreaElement>) {
        // If the focused field is removed, there is no next target and it is no longer connected.
        if (currentTarget.checkVisibility()) selection.current = undefined;
      },
    },
  };
}
