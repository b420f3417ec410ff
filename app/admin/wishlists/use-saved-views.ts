import { useFetcher, useNavigate } from "@remix-run/react";
import type { IndexFiltersProps } from "@shopify/polaris";
import { useEffect, useRef } from "react";
import { MAX_VIEWS, viewPath, type SavedView } from "../../wishlists/staff/list-filters.ts";
import type { ClientFormResult } from "../form-request.ts";
import { usePageAction } from "../use-form.ts";
import { useResultPage } from "../use-result-page.ts";

/**
 * Submits the forms of views, and opens the page that a result names. Polaris closes its modal when `send` has resolved; a refusal is shown below the
 * tabs.
 */
function useViewForms() {
  const fetcher = useFetcher<ClientFormResult<{ path?: string }>>();
  const action = usePageAction();
  const { onSent, open } = useResultPage();
  const opened = useRef<unknown>(undefined);
  const result = fetcher.data;
  useEffect(() => {
    // A result opens its page once, not again when staff come back.
    if (opened.current === result) return;
    opened.current = result;
    if (result?.ok && result.data.path !== undefined)
      open(result.data.path, { replace: true, preventScrollReset: true });
  }, [result, open]);
  return {
    sent: fetcher.formData,
    busy: fetcher.state !== "idle",
    problem: result?.ok === false ? (result.problem ?? Object.values(result.errors)[0]) : undefined,
    send: (fields: Record<string, string>): Promise<boolean> => {
      onSent();
      fetcher.submit(fields, { method: "post", action });
      return Promise.resolve(true);
    },
  };
}

/** Returns the views as they are once the change that is being sent is stored. */
function withChange(views: readonly SavedView[], sent: FormData | undefined): readonly SavedView[] {
  const search = sent?.get("query");
  if (sent?.get("intent") !== "update-view" || typeof search !== "string") return views;
  return views.map((view) => (view.id === sent.get("id") ? { ...view, search } : view));
}

type Tabs = Required<Pick<IndexFiltersProps, "tabs" | "selected" | "onSelect" | "primaryAction">>;

/**
 * Returns the saved views as tabs of the index, with what can be done to them.
 * @param props.view the one that is shown; undefined for "All", with or without filters
 * @param props.search filters and order of the address
 * @param props.isEdited whether these differ from the view's
 * @param props.onEdit shows the filters
 */
export function useSavedViews(props: {
  views: readonly SavedView[];
  view: SavedView | undefined;
  search: string;
  isEdited: boolean;
  onEdit: () => void;
}): Tabs & { problem: string | undefined } {
  const { view, search, isEdited, onEdit } = props;
  const navigate = useNavigate();
  const { sent, busy, problem, send } = useViewForms();
  const views = withChange(props.views, sent);
  const isFull = views.length >= MAX_VIEWS;
  const tabs = views.map(({ id, name, search: viewSearch }) => ({
    id: `view-${id}`,
    content: name,
    actions: [
      {
        type: "rename" as const,
        onPrimaryAction: (renamed: string) => send({ intent: "rename-view", id, name: renamed }),
      },
      { type: "edit" as const, onAction: onEdit },
      {
        type: "duplicate" as const,
        onPrimaryAction: (copy: string) => send({ intent: "create-view", name: copy, query: viewSearch }),
        disabled: isFull,
      },
      { type: "delete" as const, onPrimaryAction: () => send({ intent: "delete-view", id }) },
    ],
  }));
  return {
    tabs: [{ id: "all", content: "All", isLocked: true }, ...tabs],
    selected: view ? 1 + views.findIndex(({ id }) => id === view.id) : 0,
    onSelect(index) {
      const chosen = views[index - 1];
      navigate(chosen ? viewPath(chosen) : "/app/wishlists");
    },
    primaryAction: view
      ? {
          type: "save",
          onAction: () => send({ intent: "update-view", id: view.id, query: search }),
          disabled: !isEdited,
          loading: busy,
        }
      : {
          type: "save-as",
          onAction: (name) => send({ intent: "create-view", name, query: search }),
          disabled: search === "" || isFull,
          loading: busy,
        },
    problem,
  };
}
