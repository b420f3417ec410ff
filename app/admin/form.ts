import {
  isRouteErrorResponse,
  useFetcher,
  useFormAction,
  type ClientActionFunctionArgs,
  type ShouldRevalidateFunctionArgs,
} from "@remix-run/react";
import { useEffect, useRef, useState } from "react";

/** What a page's action answers (`adminAction`). */
type Answer<Data> =
  | { ok: true; data: Data }
  | { ok: false; errors: Readonly<Record<string, string>>; problem: string | undefined; lost?: true };

type Value = string | readonly string[];
type Values = Readonly<Record<string, Value>>;

/** Of a form whose answer never came. */
function lost(problem: string): Answer<never> {
  return { ok: false, errors: {}, problem, lost: true };
}

/**
 * Every `clientAction` of a page with forms. A request that fails would put the error page in the form's place, and what was typed
 * would be gone: so it becomes an answer, and the form says what to do.
 */
export async function keepTyped({ serverAction }: ClientActionFunctionArgs): Promise<unknown> {
  try {
    return await serverAction();
  } catch (error) {
    // A redirect.
    if (error instanceof Response) throw error;
    if (isRouteErrorResponse(error) && error.status === 401) {
      return lost("Your session has ended, and nothing was saved. Log in to Shopify in another tab, then try again.");
    }
    if (!navigator.onLine || error instanceof TypeError) {
      return lost("The app can't be reached. Your changes may not have been saved. Try again.");
    }
    return lost("Something went wrong. Try again in a moment.");
  }
}

/**
 * Every `shouldRevalidate` of such a page. What could not be sent can't be asked for either, and its failure would put the error page in the
 * form's place.
 */
export function keepShown({ actionResult, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
  const given: unknown = actionResult;
  return typeof given === "object" && given !== null && "lost" in given ? false : defaultShouldRevalidate;
}

export interface AdminForm<Data> {
  /** what is typed; `set` changes one field */
  values: Values;
  set: (name: string, value: Value) => void;
  /** of a Polaris field with text: `<TextField {...form.text("name")} label="Name" />` */
  text: (name: string) => { name: string; value: string; onChange: (value: string) => void; error: string };
  /** of a `ChoiceList` with `allowMultiple` */
  list: (name: string) => {
    name: string;
    selected: string[];
    onChange: (selected: string[]) => void;
    error: string;
  };
  /** whether anything differs from what was loaded, or saved since */
  dirty: boolean;
  busy: boolean;
  submit: () => void;
  reset: () => void;
  /** about no single field */
  problem: string | undefined;
  /** the last success, until `reset` */
  done: Data | undefined;
}

/** The page's own address without its query: what Shopify put into that, a token among it, need not be sent along. */
function useOwnAddress(): string {
  const { pathname, searchParams } = new URL(useFormAction(), "https://app.invalid");
  return searchParams.has("index") ? `${pathname}?index` : pathname;
}

function same(a: Values, b: Values): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/**
 * A form of a page whose action is an `adminAction`.
 * @param hidden fields that the merchant does not see, `submission` among them where the action wants it
 * @param onDone when the server has taken it
 */
export function useForm<Data>(
  intent: string,
  initial: Values,
  { hidden = {}, onDone }: { hidden?: Readonly<Record<string, string>>; onDone?: (data: Data) => void } = {},
): AdminForm<Data> {
  const fetcher = useFetcher<Answer<Data>>();
  const action = useOwnAddress();
  const [values, setValues] = useState(initial);
  const [seen, setSeen] = useState<Answer<Data>>();
  const [sent, setSent] = useState(initial);
  const busy = fetcher.state !== "idle";
  // A reset forgets the answer; the fetcher keeps it.
  const answer = fetcher.data === seen ? undefined : fetcher.data;
  const told = useRef<unknown>(undefined);

  useEffect(() => {
    if (fetcher.state !== "idle" || fetcher.data === undefined || told.current === fetcher.data) return;
    told.current = fetcher.data;
    if (fetcher.data.ok) onDone?.(fetcher.data.data);
  }, [fetcher.state, fetcher.data, onDone]);

  const set = (name: string, value: Value): void => setValues((before) => ({ ...before, [name]: value }));
  const errors = answer?.ok === false ? answer.errors : {};
  const saved = answer?.ok === true ? sent : initial;

  return {
    values,
    set,
    text(name) {
      const value = values[name];
      return {
        name,
        value: typeof value === "string" ? value : "",
        onChange: (typed) => set(name, typed),
        error: errors[name] ?? "",
      };
    },
    list(name) {
      const value = values[name];
      return {
        name,
        selected: typeof value === "string" ? [value] : [...(value ?? [])],
        onChange: (selected) => set(name, selected),
        error: errors[name] ?? "",
      };
    },
    dirty: !same(values, saved),
    busy,
    submit() {
      // Pressed twice, it is one form.
      if (busy) return;
      const body = new FormData();
      for (const [name, value] of Object.entries({ ...hidden, ...values, intent })) {
        for (const one of typeof value === "string" ? [value] : value) body.append(name, one);
      }
      setSent(values);
      fetcher.submit(body, { method: "post", action });
    },
    reset() {
      setValues(initial);
      setSeen(fetcher.data);
    },
    problem: answer?.ok === false ? answer.problem : undefined,
    done: answer?.ok === true ? answer.data : undefined,
  };
}
