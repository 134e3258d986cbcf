import { useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { useApp, useMe } from "../../../app/context/app-context.ts";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { useMode } from "../../../app/mode/use-mode.ts";
import { useNotices } from "../../../app/notices/notices.tsx";
import { isPreview } from "../../../app/server/server.ts";
import { Button } from "../../../design/button.tsx";
import { TextField } from "../../../design/field.tsx";
import { Panel } from "../../../design/panel.tsx";
import { Notice } from "../../../design/states.tsx";
import { changePassword, SESSIONS_KEY } from "./me-client.ts";
import { mePhrases } from "./me-phrases.ts";
import { useAttempt } from "./use-attempt.ts";

const EMPTY = { current: "", next: "", repeated: "" };
const MIN_LENGTH = 8;

export function PasswordPanel() {
  const words = usePhrases(mePhrases);
  const { server } = useApp();
  const { username } = useMe();
  const { notify } = useNotices();
  const queries = useQueryClient();
  const isFixed = useMode() === "dummy";
  const [typed, setTyped] = useState(EMPTY);
  const { isBusy, trouble, run } = useAttempt();
  const { current, next, repeated } = typed;
  const isDifferent = repeated !== "" && next !== repeated;
  const isCurrentRefused = trouble?.field === "current_password";

  function change(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (next !== repeated) return;
    run(async () => {
      const answer = await changePassword(server, current, next);
      setTyped(EMPTY);
      if (isPreview(answer)) notify({ text: words.changedPreview, tone: "waiting" });
      else notify({ text: words.changed, tone: "ok" });
      await queries.invalidateQueries({ queryKey: SESSIONS_KEY });
    });
  }

  const field = (name: keyof typeof EMPTY) => ({
    type: "password",
    required: true,
    maxLength: 1000,
    disabled: isFixed,
    dir: "ltr",
    value: typed[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setTyped((before) => ({ ...before, [name]: currentTarget.value })),
  });
  return (
    <Panel title={words.password}>
      <p className="soft">{words.passwordHint}</p>
      <form className="factors-form" onSubmit={change}>
        <input type="hidden" name="username" autoComplete="username" value={username} />
        <TextField
          {...field("current")}
          label={words.current}
          error={isCurrentRefused ? trouble.text : undefined}
          autoComplete="current-password"
        />
        <TextField
          {...field("next")}
          label={words.next}
          hint={words.nextHint}
          minLength={MIN_LENGTH}
          autoComplete="new-password"
        />
        <TextField
          {...field("repeated")}
          label={words.repeat}
          error={isDifferent ? words.different : undefined}
          autoComplete="new-password"
        />
        {trouble && !isCurrentRefused && <Notice tone="failed">{trouble.text}</Notice>}
        <div>
          <Button type="submit" isBusy={isBusy} disabled={isFixed}>
            {words.change}
          </Button>
        </div>
      </form>
    </Panel>
  );
}
