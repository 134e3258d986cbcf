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
  /** Called when a command fails. Without it, the browser reports the error. */
  onError?: ((error: unknown, command: Command) => void) | undefined;
  /** Called when a disabled command is invoked; `command.reason` says why it is disabled. */
  onRefused?: ((command: Command) => void) | undefined;
}

interface Commands {
  table: CommandTable;
  run: (command: Command) => void;
}

const CommandsContext = createContext<Commands | undefined>(undefined);

/** Provides the command table and listens to the keyboard. */
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
 * Registers the commands of a page while it is mounted. Later parts override keys of earlier ones. Two commands with
 * the same key in one list throw in development.
 */
export function useCommands(commands: readonly Command[]): void {
  const { table } = useTable();
  const [owner] = useState(() => ({}));
  if (import.meta.env.DEV) refuseClashes(commands);
  useLayoutEffect(() => table.put(owner, commands));
  useLayoutEffect(() => () => table.remove(owner), [table, owner]);
}

/** Every command that can run now, those of the newest part first. */
export function useCommandList(): readonly Command[] {
  const { table } = useTable();
  return useSyncExternalStore(table.subscribe, table.list);
}

/** One command, for a button or menu item; undefined if no mounted part registers it. */
export function useCommand(id: string): Command | undefined {
  return useCommandList().find((command) => command.id === id);
}

/** Runs a command as its key does: refuses a disabled one and reports failures. */
export function useRunCommand(): (command: Command) => void {
  return useTable().run;
}
