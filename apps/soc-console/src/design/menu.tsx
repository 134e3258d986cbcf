import {
  cloneElement,
  isValidElement,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useId,
  useRef,
  useState,
} from "react";
import { Button, type ButtonProps, IconButton } from "./button.tsx";
import { KeyCaps } from "./key-cap.tsx";
import { placeBeside } from "./place.ts";

export interface MenuItem {
  label: string;
  keys?: readonly string[] | undefined;
  icon?: ReactNode;
  isDisabled?: boolean | undefined;
  /** Why the item is disabled, or what it does. */
  reason?: string | undefined;
  isDanger?: boolean | undefined;
  onSelect: () => void;
}

export interface MenuProps {
  label: string;
  /** A Button or an IconButton, or the content of a plain button. */
  trigger: ReactNode;
  items: readonly MenuItem[];
}

const GAP = 4;

/** The item that a key moves the focus to; undefined for other keys. */
function moveByKey(key: string, at: number, count: number): number | undefined {
  if (key === "ArrowDown") return (at + 1) % count;
  if (key === "ArrowUp") return (at - 1 + count) % count;
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  return undefined;
}

/** The next item that starts with the letter, searched from the one after `at`. */
function findByLetter(items: readonly MenuItem[], at: number, letter: string): number | undefined {
  const wanted = letter.toLocaleLowerCase();
  for (let step = 1; step <= items.length; step += 1) {
    const index = (at + step) % items.length;
    if (items[index]?.label.toLocaleLowerCase().startsWith(wanted)) return index;
  }
  return undefined;
}

function asButton(trigger: ReactNode): ReactElement<ButtonProps> {
  if (isValidElement<ButtonProps>(trigger) && (trigger.type === Button || trigger.type === IconButton)) return trigger;
  return <Button>{trigger}</Button>;
}

export function Menu({ label, trigger, items }: MenuProps) {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  const [isOpen, setIsOpen] = useState(false);

  const readItems = () => [...(menu.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
  const open = (at: number) => {
    if (!menu.current || !button.current) return;
    menu.current.showPopover();
    placeBeside(menu.current, button.current, GAP);
    readItems().at(at)?.focus();
  };
  const close = () => {
    menu.current?.hidePopover();
    button.current?.focus();
  };
  const pressInMenu = (event: KeyboardEvent) => {
    const elements = readItems();
    const at = elements.findIndex((element) => element.matches(":focus"));
    if (event.key === "Tab") return close();
    const isLetter = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey;
    const next = isLetter ? findByLetter(items, at, event.key) : moveByKey(event.key, at, elements.length);
    // Letters in a menu search its items instead of running page commands.
    event.stopPropagation();
    if (next === undefined) return;
    event.preventDefault();
    elements[next]?.focus();
  };

  return (
    <>
      {cloneElement(asButton(trigger), {
        ref: button,
        "aria-haspopup": "menu",
        "aria-expanded": isOpen,
        "aria-controls": isOpen ? id : undefined,
        onPointerDown: () => {
          wasOpen.current = menu.current?.matches(":popover-open") ?? false;
        },
        onClick: () => {
          if (!wasOpen.current) open(0);
          wasOpen.current = false;
        },
        onKeyDown: (event: KeyboardEvent) => {
          if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
          event.preventDefault();
          open(event.key === "ArrowDown" ? 0 : -1);
        },
      })}
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        className="menu"
        onKeyDown={pressInMenu}
        onToggle={(event) => setIsOpen(event.newState === "open")}
      >
        {items.map((item) => (
          <MenuLine key={item.label} item={item} onDone={close} />
        ))}
      </div>
    </>
  );
}

function MenuLine({ item, onDone }: { item: MenuItem; onDone: () => void }) {
  const select = () => {
    if (item.isDisabled) return;
    onDone();
    item.onSelect();
  };
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={item.isDanger ? "menu-item menu-item-danger" : "menu-item"}
      aria-disabled={item.isDisabled}
      onClick={select}
    >
      {item.icon && <span className="menu-icon">{item.icon}</span>}
      <span className="menu-words">
        {item.label}
        {item.reason && <span className="menu-reason">{item.reason}</span>}
      </span>
      {item.keys && <KeyCaps keys={item.keys} />}
    </button>
  );
}
