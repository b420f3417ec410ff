import { useFetcher, useFormAction } from "@remix-run/react";
import { useCallback, useEffect, useRef, useState } from "react";
import type { ClientFormResult } from "./form-request.ts";
import { useResultPage, type OpenPage } from "./use-result-page.ts";

type Value = string | readonly string[];
type Values = Readonly<Record<string, Value>>;

/** Props of a text field or a select. */
export interface TextFieldProps {
  name: string;
  value: string;
  onChange: (value: string) => void;
  error: string;
}

export interface AdminForm<Data> {
  /** current values; `set` changes one field */
  values: Values;
  set: (name: string, value: Value) => void;
  /**
   * Returns the props of a Polaris text field: `<TextField {...form.text("name")} label="Name" />`. They keep their identity until the field changes,
   * so that a memoized field renders again only then.
   */
  text: (name: string) => TextFieldProps;
  /** returns the props of a Polaris `ChoiceList`, which counts as wrong with any `error`, also an empty one */
  list: (name: string) => {
    name: string;
    selected: string[];
    onChange: (selected: string[]) => void;
    error?: string;
  };
  /** whether a value differs from the loaded or last saved one */
  dirty: boolean;
  busy: boolean;
  /** sends the values; while others are being sent, once these have their result, unless that result ends the form */
  submit: () => void;
  /** discards edits. What is being sent can't be taken back, so the button for it is disabled meanwhile. */
  reset: () => void;
  /** error that concerns the form as a whole */
  problem: string | undefined;
  /** sends what failed again; undefined unless the failure is temporary */
  retry: (() => void) | undefined;
  /** data of the last success, until `reset` */
  done: Data | undefined;
}

/** Returns the page's URL without the query, which contains a session token of Shopify. */
export function usePageAction(): string {
  const { pathname, searchParams } = new URL(useFormAction(), "https://app.invalid");
  return searchParams.has("index") ? `${pathname}?index` : pathname;
}

function isEqual(a: Values, b: Values): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Returns whether an input belongs to a field: the lists of choices that are one field have names such as `events: Alerts`. */
function belongsTo(input: Element, field: string): boolean {
  const name = input.getAttribute("name") ?? "";
  return name === field || name.startsWith(`${field}: `);
}

/** Moves the focus to the page's first input of a field that was refused. */
function focusFirst(refused: readonly string[]): void {
  const inputs = [...document.querySelectorAll<HTMLElement>("main [name]:not([type=hidden])")];
  inputs.find((input) => refused.some((field) => belongsTo(input, field)))?.focus();
}

/**
 * Manages a form of a page whose action is an `adminAction`.
 * @param hidden fields that the merchant does not see, such as `idempotencyKey`
 * @param successText shown as a toast after each success
 * @param onDone called with the data of a success, and a function that opens the page to which it leads
 */
export function useForm<Data>(
  intent: string,
  initial: Values,
  {
    hidden = {},
    successText,
    onDone,
  }: {
    hidden?: Readonly<Record<string, string>>;
    successText?: string;
    onDone?: (data: Data, open: OpenPage) => void;
  } = {},
): AdminForm<Data> {
  const fetcher = useFetcher<ClientFormResult<Data>>();
  const action = usePageAction();
  const [values, setValues] = useState(initial);
  const [dismissed, setDismissed] = useState<ClientFormResult<Data>>();
  // The values that were sent last, and until their result comes, the result before them and what was saved by then.
  const [submission, setSubmission] = useState<{ sent: Values; before: unknown; saved: Values }>();
  // Fields that were edited after their last submission. What was said about them may not be true any more.
  const [edited, setEdited] = useState<ReadonlySet<string>>(new Set());
  // The same before that submission: until its result comes, the one before says nothing true about them.
  const [corrected, setCorrected] = useState<ReadonlySet<string>>(new Set());
  const busy = fetcher.state !== "idle";
  // The fetcher keeps its data after a reset.
  const result = fetcher.data === dismissed ? undefined : fetcher.data;
  let saved = initial;
  if (result?.ok && submission) saved = result === submission.before ? submission.saved : submission.sent;
  const reported = useRef<unknown>(undefined);
  // What was submitted while other values were being sent, and what of it is to be sent in the next rendering, whose hidden fields are new.
  const waiting = useRef<Values>();
  const [next, setNext] = useState<Values>();
  const { onSent, open } = useResultPage();

  function send(sent: Values): void {
    const body = new FormData();
    for (const [name, value] of Object.entries({ ...hidden, ...sent, intent })) {
      for (const item of typeof value === "string" ? [value] : value) body.append(name, item);
    }
    setSubmission({ sent, before: fetcher.data, saved });
    setCorrected(edited);
    setEdited(new Set());
    onSent();
    fetcher.submit(body, { method: "post", action });
  }

  useEffect(() => {
    if (fetcher.state !== "idle" || fetcher.data === undefined || reported.current === fetcher.data) return;
    reported.current = fetcher.data;
    // What a form with an idempotency key has created or shown is not to be created or shown twice.
    const following = fetcher.data.ok && "idempotencyKey" in hidden ? undefined : waiting.current;
    waiting.current = undefined;
    setNext(following);
    if (fetcher.data.ok) onDone?.(fetcher.data.data, following === undefined ? open : () => undefined);
    else if (following === undefined) focusFirst(Object.keys(fetcher.data.errors));
  });
  useEffect(() => {
    if (next === undefined) return;
    setNext(undefined);
    send(next);
  });
  // Staff can leave while the page still loads its data anew, and are told of the success all the same.
  const announced = useRef<unknown>(undefined);
  useEffect(() => {
    if (fetcher.data?.ok !== true || announced.current === fetcher.data) return;
    announced.current = fetcher.data;
    if (successText !== undefined) shopify.toast.show(successText);
  }, [fetcher.data, successText]);

  const set = useCallback((name: string, value: Value): void => {
    setValues((before) => ({ ...before, [name]: value }));
    setEdited((before) => new Set(before).add(name));
  }, []);
  const setters = useRef(new Map<string, (text: string) => void>());
  const setterOf = (name: string): ((text: string) => void) => {
    const setter = setters.current.get(name) ?? ((text) => set(name, text));
    setters.current.set(name, setter);
    return setter;
  };
  const failure = result?.ok === false ? result : undefined;
  const isOutdated = (name: string): boolean =>
    edited.has(name) || (fetcher.state === "submitting" && corrected.has(name));
  const errorOf = (name: string): string | undefined => (isOutdated(name) ? undefined : failure?.errors[name]);

  // What was refused can be corrected and sent again while the page still loads its data.
  const isSending = busy && !(fetcher.state === "loading" && fetcher.data?.ok === false);

  function submit(): void {
    if (!isSending) send(values);
    // A second click sends nothing new.
    else waiting.current = submission && isEqual(values, submission.sent) ? undefined : values;
  }

  return {
    values,
    set,
    text(name) {
      const value = values[name];
      return {
        name,
        value: typeof value === "string" ? value : "",
        onChange: setterOf(name),
        error: errorOf(name) ?? "",
      };
    },
    list(name) {
      const value = values[name];
      const error = errorOf(name);
      return {
        name,
        selected: typeof value === "string" ? [value] : [...(value ?? [])],
        // A list of radio buttons keeps its value a text, so that it equals the initial one again when the merchant goes back to it.
        onChange: (selected) => set(name, typeof value === "string" ? (selected[0] ?? "") : selected),
        ...(error === undefined ? {} : { error }),
      };
    },
    dirty: !isEqual(values, saved),
    busy,
    submit,
    reset() {
      waiting.current = undefined;
      setValues(initial);
      setDismissed(fetcher.data);
    },
    problem: failure?.problem,
    retry: failure?.isTemporary ? submit : undefined,
    done: result?.ok === true ? result.data : undefined,
  };
}
