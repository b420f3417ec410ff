import { Button, TextField } from "@shopify/polaris";

/** Copies a text to the clipboard and shows the result as a toast. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    shopify.toast.show("Copied");
  } catch {
    shopify.toast.show("Couldn't copy. Select the text and copy it manually.", { isError: true });
  }
}

/** Shows a value with a Copy button. The text can also be selected, because the browser may deny access to the clipboard. */
export function CopyField({ label, value, multiline = false }: { label: string; value: string; multiline?: boolean }) {
  return (
    <TextField
      label={label}
      value={value}
      readOnly
      autoComplete="off"
      monospaced
      selectTextOnFocus
      {...(multiline ? { multiline: 3 } : {})}
      labelAction={undefined}
      connectedRight={
        <Button onClick={() => void copyText(value)} accessibilityLabel={`Copy: ${label}`}>
          Copy
        </Button>
      }
    />
  );
}
