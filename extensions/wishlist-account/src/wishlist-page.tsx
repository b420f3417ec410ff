import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { List } from "@wishlist-headless/sdk";
import { AlertChoices } from "./alert-choices.tsx";
import { readAlerts, type Alerts } from "./alerts.ts";
import { FailureBanner } from "./failure-banner.tsx";
import { valueOf } from "./fields.ts";
import { DeleteList, NameList } from "./list-forms.tsx";
import { ListItems } from "./list-items.tsx";
import { DEFAULT_LIST } from "./list-address.ts";
import { nameOf } from "./messages.ts";
import { goToList, useListOfAddress } from "./route.ts";
import { failureOf, readAccount, type Account, type Failure } from "./service.ts";
import { ShareList } from "./share-list.tsx";
import { t } from "./texts.ts";

const CREATE = "create-list";
const RENAME = "rename-list";
const DELETE = "delete-list";
const SHARE = "share-list";
const ALERTS = "alert-choices";

function Loading() {
  return (
    <s-page heading={t("title")}>
      <s-section>
        <s-spinner accessibilityLabel={t("loading")} />
      </s-section>
    </s-page>
  );
}

/** The wishlist as a page of the customer account. Each list has an address. */
export function WishlistPage() {
  const [account, setAccount] = useState<Account & Alerts>();
  const [failure, setFailure] = useState<Failure>();
  /** whether the main list is shown in the place of one that no longer exists */
  const [replacesGone, setReplacesGone] = useState(false);
  const listId = useListOfAddress();
  /** the list that the customer has deleted here, whose address is about to be replaced */
  const deleted = useRef<string>();

  const load = useCallback(async (): Promise<void> => {
    try {
      const [lists, alerts] = await Promise.all([readAccount(), readAlerts()]);
      setAccount({ ...lists, ...alerts });
      setFailure(undefined);
    } catch (error) {
      setFailure(failureOf(error));
    }
  }, []);
  useEffect(() => void load(), [load]);

  const isGone = account !== undefined && !account.lists.some((list) => list.listId === listId);
  useEffect(() => {
    if (!isGone || deleted.current === listId) return;
    setReplacesGone(true);
    goToList(DEFAULT_LIST, "replace");
  }, [isGone, listId]);

  if (!account) {
    if (!failure) return <Loading />;
    return (
      <s-page heading={t("title")}>
        <FailureBanner heading={t("errors.not_loaded")} failure={failure} onRetry={() => void load()} />
      </s-page>
    );
  }
  const { lists, shop, features, moneyFormat, choices, ofItems } = account;
  const list = lists.find((one) => one.listId === listId) ?? lists[0];
  if (!list) return <Loading />;
  const changeCount = (id: string, change: number): void =>
    setAccount((before) => before && { ...before, lists: changedCounts(before.lists, id, change) });
  const change = (alerts: Partial<Alerts>): void => setAccount((before) => before && { ...before, ...alerts });
  const showNewList = (created: List): void => {
    setAccount((before) => before && { ...before, lists: [...before.lists, created] });
    goToList(created.listId, "push");
  };
  const leaveList = (): void => {
    deleted.current = listId;
    goToList(DEFAULT_LIST, "replace");
    void load();
  };

  return (
    <s-page heading={t("title")}>
      {features.lists && (
        <s-button slot="secondary-actions" command="--show" commandFor={CREATE}>
          {t("new_list")}
        </s-button>
      )}
      {choices.offered.length > 0 && (
        <s-button slot="secondary-actions" command="--show" commandFor={ALERTS}>
          {t("alerts.heading")}
        </s-button>
      )}
      {features.sharing && (
        <s-button slot="primary-action" variant="primary" command="--show" commandFor={SHARE}>
          {t("share")}
        </s-button>
      )}
      {failure && (
        <FailureBanner
          heading={t("errors.heading")}
          failure={failure}
          onRetry={() => void load()}
          onDismiss={() => setFailure(undefined)}
        />
      )}
      {replacesGone && (
        <s-banner tone="warning" dismissible onDismiss={() => setReplacesGone(false)}>
          {t("errors.list_gone")}
        </s-banner>
      )}
      {lists.length > 1 && (
        <s-section accessibilityLabel={t("lists")}>
          <s-stack gap="base">
            <s-select
              label={t("list")}
              value={list.listId}
              onChange={(event) => {
                setReplacesGone(false);
                goToList(valueOf(event), "push");
              }}
            >
              {lists.map((one) => (
                <s-option key={one.listId} value={one.listId}>
                  {t("list_option", { name: nameOf(one), count: one.itemCount })}
                </s-option>
              ))}
            </s-select>
            {!list.isDefault && (
              <s-stack direction="inline" gap="small">
                <s-button command="--show" commandFor={RENAME}>
                  {t("rename")}
                </s-button>
                <s-button tone="critical" command="--show" commandFor={DELETE}>
                  {t("delete_list")}
                </s-button>
              </s-stack>
            )}
          </s-stack>
        </s-section>
      )}
      <ListItems
        key={list.listId}
        list={list}
        lists={lists}
        shop={shop}
        moneyFormat={moneyFormat}
        ofItems={ofItems}
        onRequestsChange={(after) => change({ ofItems: after })}
        onCountChange={changeCount}
        onListGone={() => void load()}
      />
      {choices.offered.length > 0 && (
        <AlertChoices id={ALERTS} choices={choices} onSaved={(saved) => change({ choices: saved })} />
      )}
      <NameList id={CREATE} onDone={showNewList} />
      {!list.isDefault && <NameList key={list.listId} id={RENAME} list={list} onDone={() => void load()} />}
      {!list.isDefault && <DeleteList id={DELETE} list={list} onDone={leaveList} />}
      {features.sharing && <ShareList key={list.listId} id={SHARE} list={list} />}
    </s-page>
  );
}

function changedCounts(lists: readonly List[], listId: string, change: number): List[] {
  return lists.map((list) => (list.listId === listId ? { ...list, itemCount: list.itemCount + change } : list));
}
