import type { Role } from "../auth/permissions.ts";

export interface User {
  username: string;
  role: Role;
  password_hash: string;
  disabled: boolean;
}
