import { Languages } from "lucide-react";
import { useEffect } from "react";
import { useLanguage, usePhrases } from "../../../app/language/language-context.tsx";
import { Button } from "../../../design/button.tsx";
import { Mark } from "../../../design/mark.tsx";
import { Notice } from "../../../design/states.tsx";
import { SignInForm } from "./sign-in-form.tsx";
import { signInPhrases } from "./sign-in-phrases.ts";
import "./sign-in.css";

/** Shown before the console. The opened address is kept and shown after the sign-in. */
export function SignInPage({ hasLeft }: { hasLeft: boolean }) {
  const words = usePhrases(signInPhrases);
  const { language, choose } = useLanguage();
  useEffect(() => {
    document.title = `${words.title} · ${words.product}`;
  }, [words]);
  return (
    <div className="sign-in">
      <header className="sign-in-brand">
        <Mark />
        <p className="sign-in-product">{words.product}</p>
        <p className="sign-in-saying">{words.saying}</p>
      </header>
      <main className="sign-in-main">
        <h1 className="sign-in-title">{words.title}</h1>
        <div role="status">{hasLeft && <Notice tone="plain">{words.left}</Notice>}</div>
        <SignInForm />
      </main>
      <footer className="sign-in-foot">
        <Button
          kind="ghost"
          size="s"
          icon={<Languages />}
          lang={language === "ar" ? "en" : "ar"}
          onClick={() => choose(language === "ar" ? "en" : "ar")}
        >
          {words.language}
        </Button>
      </footer>
    </div>
  );
}
