import { Button, TextField } from "@shopify/polaris";

/** Says how it went. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    shopify.toast.show("Copied");
  } catch {
    shopify.toast.show("The browser does not allow it: mark the text and copy it", { isError: true });
  }
}

/** A value that is to be taken elsewhere. Where the browser does not let it be copied, it can be marked. */
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
