import { useQuery } from "@tanstack/react-query";
import { useApp } from "../../../app/context/app-context.ts";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { TextField } from "../../../design/field.tsx";
import { readMethods } from "../sign-in/auth-client.ts";
import { factorsPhrases } from "./factors-phrases.ts";
import type { Attempt } from "./use-attempt.ts";

export interface FirstFieldsProps {
  isFirst: boolean;
  nameHint: string;
  trouble: Attempt["trouble"];
}

/** The name of a new factor and, for the first one, the password. */
export function FirstFields({ isFirst, nameHint, trouble }: FirstFieldsProps) {
  const words = usePhrases(factorsPhrases);
  const { server } = useApp();
  const { data: methods } = useQuery({ queryKey: ["methods"], queryFn: () => readMethods(server), enabled: isFirst });
  const hasProviders = (methods?.providers.length ?? 0) > 0;
  const isPasswordRefused = trouble?.field === "current_password";
  return (
    <>
      <TextField
        label={words.name}
        hint={nameHint}
        error={isPasswordRefused ? undefined : trouble?.text}
        name="name"
        maxLength={100}
        autoComplete="off"
        dir="auto"
      />
      {isFirst && (
        <TextField
          label={words.password}
          hint={hasProviders ? words.passwordOrProvider : words.passwordHint}
          error={isPasswordRefused ? trouble.text : undefined}
          name="password"
          type="password"
          required={!hasProviders}
          maxLength={1000}
          autoComplete="current-password"
          dir="ltr"
        />
      )}
    </>
  );
}

/** The entered values; empty fields are omitted. */
export function readFirstFields(form: HTMLFormElement): { name: string; current_password: string | undefined } {
  const typed = new FormData(form);
  const read = (field: string) => {
    const value = typed.get(field);
    return typeof value === "string" ? value : "";
  };
  return { name: read("name").trim(), current_password: read("password") || undefined };
}
