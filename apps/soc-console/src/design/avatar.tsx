import { initials } from "./initials.ts";

export function Avatar({ name }: { name: string }) {
  return (
    <span className="avatar" role="img" aria-label={name} title={name}>
      <span aria-hidden="true">{initials(name)}</span>
    </span>
  );
}
