import { useRef, useState, type MutableRef } from "preact/hooks";
import type { ErrorCode } from "@wishlist-headless/sdk";
import { failureOf, type Failure } from "./service.ts";
import { t } from "./texts.ts";

/** A form's request to the service, and what is wrong with it. */
export interface FormRequest {
  /** of the dialog that shows the form, if it closes after a success */
  modal: MutableRef<HTMLElementTagNameMap["s-modal"] | null>;
  busy: boolean;
  /** what is wrong with the value of the form's field, or "" */
  problem: string;
  /** why the request failed, unless it is the value */
  failure: Failure | undefined;
  /** Sends the request unless one is on its way. After a success the dialog closes, and `done` is called. */
  run: <Response>(send: () => Promise<Response>, done?: (response: Response) => void) => Promise<void>;
  /** Shows what is wrong with the field's value. */
  refuse: (problem: string) => void;
  /** Hides what was wrong. */
  reset: () => void;
  close: () => void;
}

/** Keeps the state of a form's request. @param fieldErrors the keys of the messages for errors that the field's value causes */
export function useRequest(fieldErrors: Readonly<Partial<Record<ErrorCode, string>>> = {}): FormRequest {
  const modal = useRef<HTMLElementTagNameMap["s-modal"]>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const [failure, setFailure] = useState<Failure>();

  function reset(): void {
    setProblem("");
    setFailure(undefined);
  }
  const close = (): void => modal.current?.hideOverlay();

  return {
    modal,
    busy,
    problem,
    failure,
    async run(send, done) {
      if (busy) return;
      setBusy(true);
      reset();
      try {
        const response = await send();
        close();
        done?.(response);
      } catch (error) {
        const failed = failureOf(error);
        const text = fieldErrors[failed.code];
        if (text === undefined) setFailure(failed);
        else setProblem(t(text));
      } finally {
        setBusy(false);
      }
    },
    refuse(text) {
      reset();
      setProblem(text);
    },
    reset,
    close,
  };
}
