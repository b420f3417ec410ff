import { operations as alertOperations, readAlertChoices } from "../../alerts/index.server.ts";
import { formOperation } from "../../http/proxy/endpoints.server.ts";
import type { EndpointTable } from "../../http/resource.server.ts";
import { Failure } from "../../platform/failure.ts";
import {
  alertsForm,
  createListForm,
  deleteListForm,
  FIRST_PAGE,
  moveItemForm,
  removeForm,
  renameListForm,
  restoreListForm,
  textsFor,
  updateItemForm,
} from "../../storefront/index.server.ts";
import { DEFAULT_LIST, operations, readOneList } from "../../wishlists/index.server.ts";

/** The forms of the wishlist page, with which it works in a browser without JavaScript. */
export const forms: EndpointTable = {
  "POST /proxy/alerts": formOperation({
    operationId: "askForAlertsByForm",
    summary: "Record which alerts the customer asks for",
    fields: alertsForm,
    operation: alertOperations.updateAlertChoices,
    // With the words of the page in its language.
    async input(fields, { shopId, plan, owner }) {
      const { offered } = await readAlertChoices(shopId, plan, owner.id);
      const { language, texts } = textsFor(fields.locale);
      const chosen = offered.filter((kind) => fields[kind] === "1");
      return {
        alerts: Object.fromEntries(offered.map((kind) => [kind, chosen.includes(kind)])),
        wording: [...chosen.map((kind) => texts[`ask_${kind}`]), texts.alerts_hint].join(" · "),
        locale: language,
      };
    },
    shown: () => ({ outcome: { code: "alerts_saved" } }),
  }),
  "POST /proxy/items/move": formOperation({
    operationId: "moveItemByForm",
    summary: "Move or copy an item",
    fields: moveItemForm,
    operation: operations.moveListItems,
    input: ({ list: listId, to, product: productId, variant: variantId, copy }) => ({
      listId,
      to,
      items: [{ productId, variantId }],
      copy: copy === "1",
    }),
    async shown({ fields: { list: from = DEFAULT_LIST, to, product, variant, copy, undo }, list, data }) {
      const target = await readOneList({ ...list, listId: to });
      if (target instanceof Failure) return target;
      const { name } = target;
      if (copy === "1") return { outcome: { code: "copied_to", name } };
      if (undo) return { view: { ...FIRST_PAGE, list: to }, outcome: { code: "moved_to", name } };
      // An item that the target had already is there with its own details: moving it back would take it from there.
      const back = data.addedCount > 0 && { undo: { listId: to, to: from, product, variant } };
      return { outcome: { code: "moved_to", name, ...back } };
    },
  }),
  "POST /proxy/items/remove": formOperation({
    operationId: "removeByForm",
    summary: "Remove an item",
    fields: removeForm,
    operation: operations.removeListItem,
    input: ({ list: listId, product: productId, variant: variant_id }) => ({ listId, productId, variant_id }),
    before: readOneList,
    async shown({ list, data, before }) {
      if (!data.removed) return {};
      const after = await readOneList(list);
      if (after instanceof Failure) return after;
      const { listId, version } = after;
      // With another change in between, the version is not that of the removal alone.
      const undo = version - 1 === before?.version && { undo: { listId, version, removal: true as const } };
      return { outcome: { code: "removed", ...undo } };
    },
  }),
  "POST /proxy/items/update": formOperation({
    operationId: "updateItemByForm",
    summary: "Change the quantity and the note of an item",
    fields: updateItemForm,
    operation: operations.updateListItem,
    input: ({ list: listId, product: productId, variant: variant_id, quantity, note }) => ({
      listId,
      productId,
      variant_id,
      // One is the quantity of an item without one.
      quantity: Number(quantity || 1) === 1 ? null : Number(quantity),
      note: note.replaceAll("\r\n", "\n"),
    }),
    invalid: "details_invalid",
  }),
  "POST /proxy/lists/create": formOperation({
    operationId: "createListByForm",
    summary: "Create a list",
    fields: createListForm,
    operation: operations.createList,
    input: ({ name }) => ({ name }),
    invalid: "name_invalid",
    shown: ({ data }) => ({ view: { ...FIRST_PAGE, list: data.listId } }),
  }),
  "POST /proxy/lists/delete": formOperation({
    operationId: "deleteListByForm",
    summary: "Delete a list",
    fields: deleteListForm,
    operation: operations.deleteList,
    input: ({ list: listId }) => ({ listId }),
    before: readOneList,
    shown: ({ data: { version }, before }) => ({
      view: FIRST_PAGE,
      outcome: { code: "list_deleted", ...(before && { name: before.name, undo: { listId: before.listId, version } }) },
    }),
  }),
  "POST /proxy/lists/rename": formOperation({
    operationId: "renameListByForm",
    summary: "Rename a list",
    fields: renameListForm,
    operation: operations.updateList,
    input: ({ list: listId, name }) => ({ listId, name }),
    invalid: "name_invalid",
  }),
  // Unless the list has changed since.
  "POST /proxy/lists/restore": formOperation({
    operationId: "restoreListByForm",
    summary: "Take the deletion of a list or the removal of an item back",
    fields: restoreListForm,
    operation: operations.restoreList,
    input: ({ list: listId, version }) => ({ listId, version: version - 1 }),
    expectedVersion: ({ version }) => version,
    invalid: "list_changed",
    shown: ({ fields: { list, removal } }) =>
      removal
        ? { outcome: { code: "restored" } }
        : { view: { ...FIRST_PAGE, list }, outcome: { code: "list_restored" } },
  }),
};
