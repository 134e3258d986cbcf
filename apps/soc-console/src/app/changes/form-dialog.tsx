import { type ReactNode, type SubmitEvent, useId, useState } from "react";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { usePhrases } from "../language/language-context.tsx";
import { useMode } from "../mode/use-mode.ts";
import type { ApiError } from "../server/api-error.ts";
import type { ChangeResult } from "../server/server.ts";
import { changesPhrases } from "./changes-phrases.ts";
import { useChanges } from "./use-changes.tsx";

export interface FormOptions<Typed, Done> {
  initial: Typed;
  ask: (typed: Typed) => Promise<ChangeResult<Done>>;
  onDone: (done: Done) => void;
  /** The record before the change, for the preview. */
  before?: object | undefined;
  /** Whether the form shows errors of this field. Otherwise a notice shows them. */
  hasField?: (field: string) => boolean;
}

/** The content of a form that sends one change. */
export function useForm<Typed extends object, Done>(options: FormOptions<Typed, Done>) {
  const { send } = useChanges();
  const [typed, setTyped] = useState(options.initial);
  const [trouble, setTrouble] = useState<ApiError>();
  const [isBusy, setIsBusy] = useState(false);
  const onRefused = (error: ApiError) => {
    setTrouble(error);
    return error.field !== undefined && (options.hasField?.(error.field) ?? false);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setIsBusy(true);
    setTrouble(undefined);
    void send(() => options.ask(typed), { before: options.before, onRefused })
      .then((done) => done !== undefined && options.onDone(done))
      .finally(() => setIsBusy(false));
  };
  const findError = (field: string) => (trouble?.field?.startsWith(field) ? trouble.message : undefined);
  return { typed, type: (some: Partial<Typed>) => setTyped({ ...typed, ...some }), findError, isBusy, submit };
}

export interface FormDialogProps {
  title: string;
  /** The label in real mode; in dry_run the button previews. */
  verb: string;
  form: { isBusy: boolean; submit: (event: SubmitEvent) => void };
  isIncomplete: boolean;
  className: string;
  onClose: () => void;
  children: ReactNode;
}

export function FormDialog({ title, verb, form, isIncomplete, className, onClose, children }: FormDialogProps) {
  const words = usePhrases(changesPhrases);
  const mode = useMode();
  const id = useId();
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind="primary" type="submit" form={id} isBusy={form.isBusy} disabled={isIncomplete}>
            {mode === "dry_run" ? words.preview : verb}
          </Button>
        </>
      }
    >
      <form id={id} className={className} onSubmit={form.submit} autoComplete="off">
        {children}
      </form>
    </Dialog>
  );
}
