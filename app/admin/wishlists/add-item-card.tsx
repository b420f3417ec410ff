import {
  BlockStack,
  Box,
  Button,
  Card,
  FormLayout,
  InlineStack,
  Select,
  Text,
  TextField,
  Thumbnail,
} from "@shopify/polaris";
import { useCallback, useEffect, useRef, useState } from "react";
import type { OwnersList } from "../../wishlists/staff/view.ts";
import { EnterForm } from "../enter-form.tsx";
import { FailureText } from "../failure-text.tsx";
import { FormProblem } from "../form-problem.tsx";
import { useForm, type AdminForm } from "../use-form.ts";
import { itemKey, PLACEHOLDER_IMAGE } from "./item-cells.tsx";
import { listLabel } from "./owner-labels.ts";

/** Milliseconds for which the message with Undo is shown. */
const UNDO_MS = 10_000;

/** A variant from Shopify's resource picker. */
interface Picked {
  /** as the forms of the page name items */
  item: string;
  title: string;
  /** undefined for the only variant of a product */
  variantTitle: string | undefined;
  imageUrl: string | undefined;
}

const idOf = (gid: string): string => gid.slice(gid.lastIndexOf("/") + 1);

/** Opens Shopify's resource picker. @returns undefined when staff choose nothing */
async function pickVariant(): Promise<Picked | undefined> {
  const [variant] = (await shopify.resourcePicker({ type: "variant", action: "select", multiple: false })) ?? [];
  if (variant === undefined) return undefined;
  const { id, title, displayName, image, product } = variant;
  if (product.id === undefined) throw new Error("The picker returned a variant without its product.");
  return {
    item: itemKey({ productId: idOf(product.id), variantId: idOf(id) }),
    title: product.title ?? displayName,
    variantTitle: product.title === undefined || title === "Default Title" ? undefined : title,
    imageUrl: image?.originalSrc ?? product.images?.[0]?.originalSrc,
  };
}

function PickedVariant({ picked: { title, variantTitle, imageUrl } }: { picked: Picked }) {
  return (
    <InlineStack gap="300" blockAlign="center" wrap={false}>
      <div style={{ flex: "none" }}>
        <Thumbnail source={imageUrl ?? PLACEHOLDER_IMAGE} alt="" size="small" />
      </div>
      <BlockStack gap="050">
        <Text as="span" fontWeight="semibold" breakWord>
          {title}
        </Text>
        {variantTitle !== undefined && (
          <Text as="span" tone="subdued" variant="bodySm" breakWord>
            {variantTitle}
          </Text>
        )}
      </BlockStack>
    </InlineStack>
  );
}

interface Added {
  added: boolean;
  list: string;
  item: { productId: string; variantId: string };
}

interface Undo {
  /** Says that an item was added, and offers to take it out again. */
  offer: (title: string, added: Added) => void;
  form: AdminForm<{ removed: number }>;
}

/** Takes added items out again, also after staff have gone on to another list. */
export function useUndo(): Undo {
  const [wanted, setWanted] = useState<Added>();
  const toast = useRef<string>();
  const onDone = useCallback(({ removed }: { removed: number }) => {
    shopify.toast.show(removed === 0 ? "Already removed" : "Item removed");
  }, []);
  const form = useForm<{ removed: number }>("undo-add", { list: "", item: "" }, { onDone });
  const { set, submit, values } = form;
  const offer = (title: string, added: Added): void => {
    const onAction = (): void => {
      set("list", added.list);
      set("item", itemKey(added.item));
      setWanted(added);
    };
    toast.current = shopify.toast.show(`${title} added`, { duration: UNDO_MS, action: "Undo", onAction });
  };
  // On another page the button would do nothing.
  useEffect(
    () => () => {
      if (toast.current !== undefined) shopify.toast.hide(toast.current);
    },
    [],
  );
  // The form submits the values of its last rendering.
  useEffect(() => {
    if (wanted === undefined || values["item"] !== itemKey(wanted.item)) return;
    setWanted(undefined);
    submit();
  }, [wanted, values, submit]);
  return { offer, form };
}

/** Adds a variant that staff choose from the store's products to a list of the customer. */
export function AddItemCard(props: { wishlistId: string; lists: readonly OwnersList[]; undo: Undo }) {
  const { wishlistId, lists, undo } = props;
  const [picked, setPicked] = useState<Picked>();
  const [failure, setFailure] = useState<string>();
  const choose = useRef<HTMLDivElement>(null);
  const onDone = (done: Added): void => {
    const title = picked?.title ?? "Item";
    if (done.added) undo.offer(title, done);
    else shopify.toast.show(`${title} is in the list already`);
    close();
  };
  const form = useForm<Added>("add", { list: wishlistId, item: "", quantity: "", note: "" }, { onDone });
  const pick = async (): Promise<void> => {
    setFailure(undefined);
    try {
      const chosen = await pickVariant();
      if (chosen === undefined) return;
      setPicked(chosen);
      form.set("item", chosen.item);
    } catch {
      setFailure("Couldn't open Shopify's products. Try again.");
    }
  };
  function close(): void {
    setPicked(undefined);
    form.reset();
    // The buttons of the form are gone.
    choose.current?.focus();
  }
  return (
    <Card>
      <BlockStack gap="300">
        <div ref={choose} tabIndex={-1} style={{ outline: "none" }} role="group" aria-label="Add an item">
          <InlineStack align="space-between" blockAlign="center" gap="200">
            <Text as="h2" variant="headingMd">
              Add an item
            </Text>
            {picked === undefined && <Button onClick={() => void pick()}>Choose product</Button>}
          </InlineStack>
        </div>
        <FailureText text={failure} />
        <FormProblem of={[form]} title="The item wasn't added" />
        <FormProblem of={[undo.form]} title="The item wasn't removed" />
        {picked === undefined ? (
          <Text as="p" tone="subdued">
            The customer sees the item right away. Webhooks are sent. Analytics don&apos;t change.
          </Text>
        ) : (
          <EnterForm onSubmit={form.submit}>
            <FormLayout>
              <InlineStack align="space-between" blockAlign="center" gap="200" wrap={false}>
                <PickedVariant picked={picked} />
                <Button variant="plain" onClick={() => void pick()}>
                  Change
                </Button>
              </InlineStack>
              {lists.length > 1 && (
                <Select
                  {...form.text("list")}
                  label="List"
                  options={lists.map((list) => ({ value: list.wishlistId, label: listLabel(list) }))}
                />
              )}
              <TextField
                {...form.text("quantity")}
                label="Quantity (optional)"
                type="integer"
                inputMode="numeric"
                autoComplete="off"
              />
              <TextField
                {...form.text("note")}
                label="Note (optional)"
                helpText="The customer can read and change it."
                multiline={2}
                autoComplete="off"
              />
              <Box>
                <InlineStack gap="200" align="end">
                  <Button onClick={close}>Cancel</Button>
                  <Button variant="primary" onClick={form.submit} loading={form.busy}>
                    Add item
                  </Button>
                </InlineStack>
              </Box>
            </FormLayout>
          </EnterForm>
        )}
      </BlockStack>
    </Card>
  );
}
