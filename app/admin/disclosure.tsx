import { Box, Button, InlineStack } from "@shopify/polaris";
import { useId, useState, type ReactNode } from "react";
import { useAfterPaint } from "./use-after-paint.ts";

/**
 * Shows a button that opens further content below it.
 * @param props.openLabel of the button while the content is shown; `label` by default
 * @param props.looksLike how the button looks; a link by default
 * @param props.isInset whether the button has the padding of a card whose own padding is 0; the content has none
 * @param props.aside at the other end of the button's row
 * @param props.minHeight of the content in pixels, reserved at once so that long content does not shift what follows
 */
export function Disclosure(props: {
  label: string;
  openLabel?: string;
  looksLike?: "link" | "button";
  isInset?: boolean;
  aside?: ReactNode;
  minHeight?: number;
  onChange?: (open: boolean) => void;
  children: ReactNode;
}) {
  const { label, openLabel = label, looksLike = "link", isInset = false, aside, minHeight = 0 } = props;
  const { onChange, children } = props;
  const [open, setOpen] = useState(false);
  // The click takes effect before expensive content renders.
  const rendered = useAfterPaint(open);
  const id = useId();
  return (
    <div>
      <Box padding={isInset ? "400" : "0"}>
        <InlineStack gap="300" align="space-between">
          <Button
            variant={looksLike === "link" ? "plain" : "secondary"}
            disclosure={open ? "up" : "down"}
            ariaExpanded={open}
            ariaControls={id}
            onClick={() => {
              setOpen(!open);
              onChange?.(!open);
            }}
          >
            {open ? openLabel : label}
          </Button>
          {aside}
        </InlineStack>
      </Box>
      <Box id={id} paddingBlockStart={open && !isInset ? "400" : "0"} minHeight={open ? `${minHeight}px` : "0"}>
        {rendered && children}
      </Box>
    </div>
  );
}
