import { X } from "lucide-react";
import { type PointerEvent, type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { IconButton } from "./button.tsx";

export interface DialogProps {
  title: ReactNode;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  actions?: ReactNode;
  width?: "s" | "m" | "l" | undefined;
  /** The name of the closing button; without it only Esc, the backdrop and the actions close. */
  closeLabel?: string | undefined;
}

const FIRST_FIELD = ".dialog-body :is(input, select, textarea):not(:disabled)";

function Modal({
  kind,
  title,
  isOpen,
  onClose,
  children,
  actions,
  width = "m",
  closeLabel,
}: DialogProps & { kind: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useLayoutEffect(() => {
    const element = dialog.current;
    if (!isOpen || !element) return;
    const before = document.activeElement;
    if (!element.open) element.showModal();
    // The first field, not the button that closes the dialog.
    element.querySelector<HTMLElement>(FIRST_FIELD)?.focus();
    return () => {
      element.close();
      // The browser returns the focus only to an element that still stands where it stood.
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [isOpen]);

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
        event.preventDefault();
        onClose();
      }}
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

/** A question over the page. Esc and the backdrop close it, the focus returns to where it was. */
export function Dialog(props: DialogProps) {
  return <Modal kind="box" {...props} />;
}

/** The same at the inline end, as high as the window. */
export function Drawer(props: DialogProps) {
  return <Modal kind="drawer" {...props} />;
}
