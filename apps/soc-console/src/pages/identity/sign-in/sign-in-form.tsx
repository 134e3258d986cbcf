import type { MethodsBody } from "@soc/service/contract/identity/auth/auth";
import { useQuery } from "@tanstack/react-query";
import { Fingerprint, KeyRound } from "lucide-react";
import { type ReactNode, type SubmitEvent, useEffect, useRef } from "react";
import { later, now } from "../../../app/browser/clock.ts";
import { useApp } from "../../../app/context/app-context.ts";
import { fill, isolated, usePhrases } from "../../../app/language/language-context.tsx";
import { hasSecurityKeys } from "../../../app/session/security-key.ts";
import { useTime } from "../../../app/time/time-context.tsx";
import { Button } from "../../../design/button.tsx";
import { TextField } from "../../../design/field.tsx";
import { Notice } from "../../../design/states.tsx";
import { readMethods } from "./auth-client.ts";
import { nextAddress } from "./next-address.ts";
import { signInPhrases } from "./sign-in-phrases.ts";
import { troubleWords } from "./sign-in-trouble.ts";
import { type SignIn, type TypedPassword, useSignIn } from "./use-sign-in.ts";

function readText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

interface ProvidersProps {
  methods: MethodsBody;
  /** Shown over a page: the provider opens in another tab, so that the page keeps its input. */
  isOverPage: boolean;
}

function Providers({ methods, isOverPage }: ProvidersProps) {
  const words = usePhrases(signInPhrases);
  const { is_break_glass_only } = methods.password;
  if (methods.providers.length === 0) return null;
  const next = isOverPage ? "/" : nextAddress(location);
  return (
    <>
      {methods.providers.map(({ id, label, start_url }) => (
        <a
          key={id}
          className={is_break_glass_only ? "button button-primary sign-in-way" : "button sign-in-way"}
          href={`${start_url}?${new URLSearchParams({ next })}`}
          {...(isOverPage && { target: "_blank" })}
        >
          {fill(words.provider, { provider: isolated(label) })}
        </a>
      ))}
      {isOverPage && <p className="sign-in-note">{words.providerTab}</p>}
    </>
  );
}

function Trouble({ trouble }: Pick<SignIn, "trouble">) {
  const words = usePhrases(signInPhrases);
  const time = useTime();
  if (!trouble) return null;
  const timeIn = (seconds: number) => time.time(later(now(), seconds));
  const text = trouble === "not-signed" ? words.notSigned : troubleWords(trouble, words.troubles, timeIn);
  return <Notice tone="failed">{text}</Notice>;
}

/** A session may start in another tab: check when the user returns to this one. */
function useSessionElsewhere(isOverPage: boolean, look: () => void): void {
  const latest = useRef(look);
  useEffect(() => {
    latest.current = look;
  });
  useEffect(() => {
    if (!isOverPage) return;
    const lookWhenSeen = () => {
      if (document.visibilityState === "visible") latest.current();
    };
    document.addEventListener("visibilitychange", lookWhenSeen);
    return () => document.removeEventListener("visibilitychange", lookWhenSeen);
  }, [isOverPage]);
}

interface PasswordFieldsProps {
  username: string;
  needsFactor: boolean;
}

/** The password stays in its field while the second factor is entered: both are sent together. */
function PasswordFields({ username, needsFactor }: PasswordFieldsProps) {
  const words = usePhrases(signInPhrases);
  const first = useRef<HTMLInputElement>(null);
  const code = useRef<HTMLInputElement>(null);
  useEffect(() => (needsFactor ? code.current?.focus() : first.current?.focus()), [needsFactor]);
  return (
    <>
      <div className="sign-in-fields" hidden={needsFactor}>
        <TextField
          ref={username ? undefined : first}
          label={words.username}
          name="username"
          defaultValue={username}
          readOnly={username !== ""}
          required
          maxLength={100}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
        />
        <TextField
          ref={username ? first : undefined}
          label={words.password}
          name="password"
          type="password"
          required
          maxLength={1000}
          autoComplete="current-password"
          dir="ltr"
        />
      </div>
      {needsFactor && (
        <TextField
          ref={code}
          label={words.code}
          hint={words.codeHint}
          name="code"
          required
          minLength={6}
          maxLength={50}
          inputMode="text"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          dir="ltr"
        />
      )}
    </>
  );
}

/** With break glass, the password field is folded: everyone else uses a provider. */
function PasswordPart({ isFolded, children }: { isFolded: boolean; children: ReactNode }) {
  const words = usePhrases(signInPhrases);
  if (!isFolded) return children;
  return (
    <details className="sign-in-emergency">
      <summary>{words.breakGlass}</summary>
      <p className="sign-in-note">{words.breakGlassText}</p>
      {children}
    </details>
  );
}

export interface SignInFormProps {
  /** The user whose session ended. */
  username?: string | undefined;
}

export function SignInForm({ username = "" }: SignInFormProps) {
  const words = usePhrases(signInPhrases);
  const { server } = useApp();
  const { data: methods, isError } = useQuery({ queryKey: ["methods"], queryFn: () => readMethods(server) });
  const signIn = useSignIn(username);
  const { needsFactor, trouble, isAsking } = signIn;
  const form = useRef<HTMLFormElement>(null);
  const isOverPage = username !== "";
  const hasKeys = methods?.passkey.is_available === true && hasSecurityKeys();
  const isFolded = methods?.password.is_break_glass_only === true;
  useSessionElsewhere(isOverPage, signIn.bySession);

  function readTyped(): TypedPassword {
    const typed = new FormData(form.current ?? undefined);
    return {
      username: username || readText(typed, "username"),
      password: readText(typed, "password"),
      code: readText(typed, "code").trim(),
    };
  }

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    signIn.byPassword(readTyped());
  }

  const others = methods && !needsFactor && <Providers methods={methods} isOverPage={isOverPage} />;
  return (
    <form ref={form} className="sign-in-form" method="post" onSubmit={submit}>
      <div role="alert">
        <Trouble trouble={trouble} />
      </div>
      {isFolded && others}
      <PasswordPart isFolded={isFolded}>
        <div className="sign-in-fields">
          <PasswordFields username={username} needsFactor={needsFactor} />
          <Button kind={isFolded ? "plain" : "primary"} className="sign-in-way" type="submit" isBusy={isAsking}>
            {isAsking ? words.signingIn : words.signIn}
          </Button>
        </div>
      </PasswordPart>
      {!isFolded && (hasKeys || others) && <p className="sign-in-or">{words.or}</p>}
      {hasKeys && (
        <Button
          className="sign-in-way"
          icon={needsFactor ? <KeyRound /> : <Fingerprint />}
          onClick={() => (needsFactor ? signIn.byKey(readTyped()) : signIn.byPasskey())}
        >
          {needsFactor ? words.key : words.passkey}
        </Button>
      )}
      {!isFolded && others}
      {needsFactor && (
        <Button kind="ghost" className="sign-in-way" onClick={signIn.forget}>
          {words.back}
        </Button>
      )}
      {isError && <p className="sign-in-note">{words.methodsFailed}</p>}
    </form>
  );
}
