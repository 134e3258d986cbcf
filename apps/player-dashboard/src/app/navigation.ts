import { type ReadonlySignal, signal } from "@preact/signals";
import type { ScrollPlace } from "./scroll-place.ts";

export interface Navigation {
  /** Where the page is, such as `/library`. */
  path: ReadonlySignal<string>;
  go: (path: string) => void;
}

export interface NavigationDeps {
  /** The address that the browser shows, without its host. */
  read: () => string;
  /** Pushes a new address, so that the browser's back button returns here. */
  push: (path: string) => void;
  /** Calls back when the user navigates with the browser's own buttons. */
  onMove: (listener: () => void) => void;
  toTop: () => void;
  place: ScrollPlace;
}

export function createNavigation({ read, push, onMove, toTop, place }: NavigationDeps): Navigation {
  const path = signal(read());
  onMove(() => {
    path.value = read();
    place.restore();
  });
  return {
    path,
    go(to) {
      if (to === path.value) return;
      place.leave();
      push(to);
      path.value = to;
      toTop();
    },
  };
}
