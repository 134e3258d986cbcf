import { ROLES } from "@soc/service/contract/foundation/caller/permissions";
import { FormDialog, useForm } from "../../../app/changes/form-dialog.tsx";
import { useApp } from "../../../app/context/app-context.ts";
import { fill, usePhrases } from "../../../app/language/language-context.tsx";
import { useNotices } from "../../../app/notices/notices.tsx";
import { type Role, rolePhrases } from "../../../app/session/role-phrases.ts";
import { SitesField } from "../../../app/sites/sites-field.tsx";
import { SelectField, TextField } from "../../../design/field.tsx";
import { createUser, type User, updateUser } from "./users-client.ts";
import { usersPhrases } from "./users-phrases.ts";

const MIN_PASSWORD = 8;

export interface UserDialogProps {
  /** The user to change; undefined for a new user. */
  user?: User | undefined;
  onClose: () => void;
  onDone: (user: User) => void;
}

export function UserDialog({ user, onClose, onDone }: UserDialogProps) {
  const words = usePhrases(usersPhrases);
  const form = useUserForm({ user, onClose, onDone });
  const { typed, type, findError } = form;
  const isIncomplete =
    typed.sites?.length === 0 ||
    (!user && typed.username.trim() === "") ||
    (user ? typed.password !== "" && typed.password.length < MIN_PASSWORD : typed.password.length < MIN_PASSWORD);
  return (
    <FormDialog
      title={user ? fill(words.editTitle, { name: user.username }) : words.newUser}
      verb={user ? words.save : words.create}
      className="users-form"
      {...{ form, isIncomplete, onClose }}
    >
      {!user && (
        <TextField
          label={words.fields.username}
          hint={words.usernameHint}
          error={findError("username")}
          required
          maxLength={100}
          pattern="[A-Za-z0-9._@+\-]+"
          autoComplete="off"
          spellCheck={false}
          dir="ltr"
          value={typed.username}
          onChange={(event) => type({ username: event.currentTarget.value })}
        />
      )}
      <RoleField value={typed.role} onChange={(role) => type({ role })} />
      <SitesField value={typed.sites} onChange={(sites) => type({ sites })} hint={words.sitesHint} />
      <TextField
        label={words.fields.email}
        hint={words.emailHint}
        error={findError("email")}
        type="email"
        maxLength={320}
        autoComplete="off"
        dir="ltr"
        value={typed.email}
        onChange={(event) => type({ email: event.currentTarget.value })}
      />
      <TextField
        label={user ? words.newPassword : words.password}
        hint={user ? words.newPasswordHint : words.passwordHint}
        error={findError("password")}
        type="password"
        required={!user}
        minLength={MIN_PASSWORD}
        maxLength={1000}
        autoComplete="new-password"
        value={typed.password}
        onChange={(event) => type({ password: event.currentTarget.value })}
      />
    </FormDialog>
  );
}

function RoleField({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  const words = usePhrases(usersPhrases);
  const roles = usePhrases(rolePhrases);
  const options = ROLES.map((role) => ({ value: role, label: roles[role].name }));
  return (
    <SelectField
      label={words.fields.role}
      hint={roles[value].meaning}
      value={value}
      onChange={onChange}
      options={options}
    />
  );
}

interface UserForm {
  username: string;
  password: string;
  email: string;
  role: Role;
  sites: readonly string[] | undefined;
}

function useUserForm({ user, onClose, onDone }: UserDialogProps) {
  const words = usePhrases(usersPhrases);
  const { server } = useApp();
  const { notify } = useNotices();
  return useForm<UserForm, User>({
    initial: {
      username: "",
      password: "",
      email: user?.email ?? "",
      role: user?.role ?? "tier1",
      sites: user?.sites?.map(({ id }) => id),
    },
    before: user,
    hasField: (field) => ["username", "email", "password"].includes(field),
    ask({ username, password, role, sites, ...typed }) {
      const email = typed.email.trim() || null;
      const held = sites ? [...sites] : null;
      if (!user) return createUser(server, { username: username.trim(), password, role, email, sites: held });
      return updateUser(server, user.username, { role, email, sites: held, ...(password !== "" && { password }) });
    },
    onDone(done) {
      notify({ tone: "ok", text: user ? words.changed : words.created });
      onDone(done);
      onClose();
    },
  });
}
