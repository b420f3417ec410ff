import { Button, TextField } from "@shopify/polaris";

/** A value that is to be taken elsewhere. Where the browser does not let it be copied, it can be marked. */
export function CopyField({ label, value, multiline = false }: { label: string; value: string; multiline?: boolean }) {
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(value);
      shopify.toast.show("Copied");
    } catch {
      shopify.toast.show("The browser does not allow it: mark the text and copy it", { isError: true });
    }
  };
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
        <Button onClick={() => void copy()} accessibilityLabel={`Copy: ${label}`}>
          Copy
        </Button>
      }
    />
  );
}
