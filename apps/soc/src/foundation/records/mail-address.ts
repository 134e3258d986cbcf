// A valid e-mail address as HTML defines it: no quotes and no comments, so it cannot inject a header or an SMTP
// command.
const ADDRESS =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;
const MAX_LENGTH = 254;

/** Whether the text is an address that mail can be sent to. */
export function isMailAddress(text: string): boolean {
  return text.length <= MAX_LENGTH && ADDRESS.test(text);
}
