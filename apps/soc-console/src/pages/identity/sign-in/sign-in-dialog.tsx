import { useApp, useMe } from "../../../app/context/app-context.ts";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { Button } from "../../../design/button.tsx";
import { Dialog } from "../../../design/dialog.tsx";
import { SignInForm } from "./sign-in-form.tsx";
import { signInPhrases } from "./sign-in-phrases.ts";
import "./sign-in.css";

/** Shown over the page whose session ended: its input is kept. */
export function SignInDialog({ isOpen }: { isOpen: boolean }) {
  const words = usePhrases(signInPhrases);
  const { session } = useApp();
  const { username } = useMe();
  return (
    <Dialog
      title={words.again}
      isOpen={isOpen}
      onClose={() => undefined}
      closeLabel={null}
      width="s"
      actions={
        <Button kind="ghost" onClick={session.leave}>
          {words.otherUser}
        </Button>
      }
    >
      <p className="sign-in-ended">{words.ended}</p>
      {isOpen && <SignInForm username={username} />}
    </Dialog>
  );
}
