import type { ReactNode } from "react";
import { Link } from "../../../app/address/link.tsx";

export type EntityKind = "host" | "user" | "ip" | "hash" | "domain";

const KINDS: readonly EntityKind[] = ["host", "user", "ip", "hash", "domain"];

export function readEntityKind(text: string | undefined): EntityKind | undefined {
  return KINDS.find((kind) => kind === text);
}

/** The address of an entity's page. A value may contain dots, slashes and any other character. */
function entityAddress(kind: EntityKind, value: string): string {
  return `/entity/${kind}/${encodeURIComponent(value)}`;
}

export interface EntityLinkProps {
  kind: EntityKind;
  value: string;
  title?: string | undefined;
  className?: string | undefined;
  children: ReactNode;
}

export function EntityLink({ kind, value, title, className, children }: EntityLinkProps) {
  return (
    <Link to={entityAddress(kind, value)} title={title} className={className}>
      {children}
    </Link>
  );
}
