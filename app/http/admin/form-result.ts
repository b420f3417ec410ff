/** What became of a form that was refused or failed. Nothing was saved. */
export interface FormFailure {
  ok: false;
  /** by field */
  errors: Readonly<Record<string, string>>;
  /** concerns the form as a whole */
  problem: string | undefined;
  /** whether the same form can succeed in a moment */
  isTemporary: boolean;
}

/** The response to a form. */
export type FormResult<Data> = { ok: true; data: Data } | FormFailure;

/** Returns the failure of a form as a whole. */
export function formFailure(problem: string | undefined, isTemporary = false): FormFailure {
  return { ok: false, errors: {}, problem, isTemporary };
}
