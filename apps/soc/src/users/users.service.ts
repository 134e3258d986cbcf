import type { RuntimeService } from "../runtime/runtime.service.ts";
import { hashPassword, isPasswordOf } from "./passwords.ts";
import type { User } from "./user.ts";
import type { UsersStore } from "./users.store.ts";

export interface UsersServiceDeps {
  runtime: Pick<RuntimeService, "choose">;
  stores: { database: UsersStore; showcase: UsersStore };
}
export type UsersService = ReturnType<typeof createUsersService>;

export function createUsersService({ runtime, stores }: UsersServiceDeps) {
  return {
    async findByPassword(username: string, password: string): Promise<User | undefined> {
      const store = await runtime.choose(stores);
      const user = await store.find(username);
      // An unknown name costs as much time as a wrong password, so that time tells nothing.
      const isRight = await isPasswordOf(user?.password_hash ?? NOBODYS_HASH, password);
      return isRight && user && !user.disabled ? user : undefined;
    },
  };
}

/** Creates the first administrator where there is no user yet. Answers whether it did. */
export async function createFirstAdmin(store: UsersStore, password: string): Promise<boolean> {
  const password_hash = await hashPassword(password);
  return store.insertFirst({ username: "admin", role: "admin", password_hash, disabled: false });
}

// The same cost as a real hash, over random bytes that were thrown away.
const NOBODYS_HASH =
  "$argon2id$v=19$m=65536,t=3,p=1$Ot/LV58PHqYV5ulPLslM2A$vNmQRGx/CT1MWDDrXLxbYpAkLGTS0S19p+NRknC/HKs";
