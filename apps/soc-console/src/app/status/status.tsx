import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";

interface Status {
  text: string;
  setText: (text: string) => void;
}

const StatusContext = createContext<Status | undefined>(undefined);

export function StatusProvider({ children }: { children: ReactNode }) {
  const [text, setText] = useState("");
  const status = useMemo(() => ({ text, setText }), [text]);
  return <StatusContext value={status}>{children}</StatusContext>;
}

function useStatus(): Status {
  const status = useContext(StatusContext);
  if (!status) throw new Error("useStatus needs a StatusProvider");
  return status;
}

/** The text of the status line while the page is shown, such as `200 of 1,284 · 38 ms`. */
export function useStatusText(text: string): void {
  const { setText } = useStatus();
  useEffect(() => {
    setText(text);
    return () => setText("");
  }, [text, setText]);
}

export function useShownStatus(): string {
  return useStatus().text;
}
