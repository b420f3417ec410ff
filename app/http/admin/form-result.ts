/** The response to a form. `errors` are keyed by field; `problem` concerns the form as a whole. */
export type FormResult<Data> =
  { ok: true; data: Data } | { ok: false; errors: Readonly<Record<string, string>>; problem: string | undefined };
