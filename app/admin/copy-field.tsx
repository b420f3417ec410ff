import { Button, TextField } from "@shopify/polaris";
import { useState } from "react";

/** Copies texts to the clipboard. `failure` says what to do after the browser refused it. */
export function useCopy(): { failure: string | undefined; copy: (text: string) => void } {
  const [failure, setFailure] = useState<string>();
  const copy = async (text: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setFailure(undefined);
      shopify.toast.show("Copied");
    } catch {
      setFailure("Couldn't copy. Select the text and copy it manually.");
    }
  };
  return { failure, copy: (text) => void copy(text) };
}

/** Shows a value with a Copy button. The text can also be selected, because the browser may deny access to the clipboard. */
export function CopyField({ label, value, multiline = false }: { label: string; value: string; multiline?: boolean }) {
  const { failure, copy } = useCopy();
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
      error={failure ?? false}
      connectedRight={
        <Button onClick={() => copy(value)} accessibilityLabel={`Copy: ${label}`}>
          Copy
        </Button>
      }
    />
  );
}
