import { type LinkOptions, Link as RouterLink } from "@tanstack/react-router";
import type { ReactNode } from "react";

export interface LinkProps {
  /** A path of the console. */
  to: string;
  search?: Readonly<Record<string, string | undefined>> | undefined;
  className?: string | undefined;
  title?: string | undefined;
  /** True to mark the link only on the exact page; otherwise also on pages below it. */
  activeOptions?: NonNullable<LinkOptions["activeOptions"]> | undefined;
  children: ReactNode;
}

/** A link inside the console. Links to other sites do not exist. */
export function Link({ to, search, className, title, activeOptions = {}, children }: LinkProps) {
  return (
    <RouterLink
      to={to}
      search={{ ...search }}
      activeOptions={activeOptions}
      {...(className !== undefined && { className })}
      {...(title !== undefined && { title })}
    >
      {children}
    </RouterLink>
  );
}
