import { createContext } from "preact";
import { useContext } from "preact/hooks";

/** The words of the controls themselves. */
export interface ControlWords {
  /** The name of the product, in the title of every page. */
  product: string;
  close: string;
  /** Describes a button that will ask for the token. */
  locked: string;
  less: string;
  more: string;
}

/** What the controls need to know. The app provides it, so that no control depends on the product's state. */
export interface ControlSurroundings {
  words: ControlWords;
  /** Writes a number with the digits of the current language. */
  formatDigits: (value: number) => string;
  /** Whether the browser still lacks the token. */
  isLocked: boolean;
  /** Opens another address of this page. */
  go: (path: string) => void;
}

export const ControlContext = createContext<ControlSurroundings | undefined>(undefined);

export function useControlContext(): ControlSurroundings {
  const surroundings = useContext(ControlContext);
  if (!surroundings) throw new Error("rendered outside the control context");
  return surroundings;
}
