import {
  createContext,
  type ReactNode,
  use,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { type CommandTable, createCommandTable, refuseClashes } from "./command-table.ts";
import type { Command } from "./commands.ts";
import { listenToKeys } from "./key-listener.ts";

export interface CommandsProviderProps {
  children: ReactNode;
  /** A command failed. Without it the browser reports the error. */
  onError?: ((error: unknown, command: Command) => void) | undefined;
  /** A command was asked for that is not enabled; `command.reason` says why. */
  onRefused?: ((command: Command) => void) | undefined;
}

interface Commands {
  table: CommandTable;
  run: (command: Command) => void;
}

const CommandsContext = createContext<Commands | undefined>(undefined);

/** Holds the command table and listens to the keyboard. */
export function CommandsProvider({ children, onError, onRefused }: CommandsProviderProps) {
  const handlers = useRef({ onError, onRefused });
  useLayoutEffect(() => {
    handlers.current = { onError, onRefused };
  });
  const [commands] = useState<Commands>(() => ({
    table: createCommandTable(),
    run: (command) => runCommand(command, handlers.current),
  }));
  useEffect(() => listenToKeys(commands.table, commands.run), [commands]);
  return <CommandsContext value={commands}>{children}</CommandsContext>;
}

function runCommand(command: Command, { onError, onRefused }: Omit<CommandsProviderProps, "children">): void {
  if (command.isEnabled === false) {
    onRefused?.(command);
    return;
  }
  const fail = (error: unknown) => (onError ? onError(error, command) : reportError(error));
  try {
    Promise.resolve(command.run()).catch(fail);
  } catch (error) {
    fail(error);
  }
}

function useTable(): Commands {
  const commands = use(CommandsContext);
  if (!commands) throw new Error("commands need a CommandsProvider");
  return commands;
}

/**
 * Brings the commands of a page while it is mounted. Later parts override the keys of earlier ones; within one list,
 * two commands with the same key are an error while the console is developed.
 */
export function useCommands(commands: readonly Command[]): void {
  const { table } = useTable();
  const [owner] = useState(() => ({}));
  if (import.meta.env.DEV) refuseClashes(commands);
  useLayoutEffect(() => table.put(owner, commands));
  useLayoutEffect(() => () => table.remove(owner), [table, owner]);
}

/** Every command that can be run now, those of the newest part first. */
export function useCommandList(): readonly Command[] {
  const { table } = useTable();
  return useSyncExternalStore(table.subscribe, table.list);
}

/** One command, for a button or a menu that does the same; undefined when no mounted part brings it. */
export function useCommand(id: string): Command | undefined {
  return useCommandList().find((command) => command.id === id);
}

/** Runs a command as its key does: refused when it is not enabled, with its failure reported. */
export function useRunCommand(): (command: Command) => void {
  return useTable().run;
}
