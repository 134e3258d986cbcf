import { X } from "lucide-react";
import { createContext, type PointerEvent, type ReactNode, use, useId, useLayoutEffect, useRef, useState } from "react";
import { IconButton } from "./button.tsx";

export interface DialogProps {
  title: ReactNode;
  /** Default: true. */
  isOpen?: boolean | undefined;
  onClose: () => void;
  children: ReactNode;
  actions?: ReactNode;
  width?: "s" | "m" | "l" | undefined;
  /** Default: "Close" in the chosen language. With null, only Esc, the backdrop and the actions close the dialog. */
  closeLabel?: string | null | undefined;
}

/** The label of the close button in the chosen language. */
export const CloseLabel = createContext("Close");

const FIRST_FIELD = ".dialog-body :is(input, select, textarea):not(:disabled)";

function Modal({
  kind,
  title,
  isOpen = true,
  onClose,
  children,
  actions,
  width = "m",
  closeLabel: ownLabel,
}: DialogProps & { kind: string }) {
  const defaultLabel = use(CloseLabel);
  const closeLabel = ownLabel === undefined ? defaultLabel : ownLabel;
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [forcedCloses, setForcedCloses] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a dialog that the browser closed and its owner did not opens again.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!isOpen || !element) return;
    const before = document.activeElement;
    if (!element.open) element.showModal();
    // Focus the first field, not the close button.
    element.querySelector<HTMLElement>(FIRST_FIELD)?.focus();
    return () => {
      element.close();
      // The browser restores the focus only if the element is still connected at the same place.
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [isOpen, forcedCloses]);

  // Browsers let a page refuse Escape once or twice and then close the dialog: that cancel event is not cancelable.
  const noteForcedClose = () => {
    if (dialog.current?.open !== false) return;
    onClose();
    setForcedCloses(forcedCloses + 1);
  };
  const closeFromBackdrop = (event: PointerEvent<HTMLDialogElement>) => {
    if (event.target === event.currentTarget && event.button === 0) onClose();
  };

  if (!isOpen) return null;
  return (
    <dialog
      ref={dialog}
      className={`dialog dialog-${kind} dialog-${width}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        if (!event.cancelable) return;
        event.preventDefault();
        onClose();
      }}
      onClose={noteForcedClose}
      onPointerDown={closeFromBackdrop}
    >
      <div className="dialog-frame">
        <header className="dialog-head">
          <h2 id={titleId} className="dialog-title">
            {title}
          </h2>
          {closeLabel && <IconButton label={closeLabel} icon={<X />} onClick={onClose} />}
        </header>
        <div className="dialog-body">{children}</div>
        {actions && <footer className="dialog-actions">{actions}</footer>}
      </div>
    </dialog>
  );
}

/** A modal dialog. Esc and the backdrop close it, and the focus returns to where it was. */
export function Dialog(props: DialogProps) {
  return <Modal kind="box" {...props} />;
}

/** A modal dialog at the inline end, as high as the window. */
export function Drawer(props: DialogProps) {
  return <Modal kind="drawer" {...props} />;
}
