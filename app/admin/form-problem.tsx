import { Banner, type BannerHandles, type BannerProps } from "@shopify/polaris";
import { useEffect, useRef } from "react";
import type { AdminForm } from "./use-form.ts";

/**
 * Says that a form failed as a whole, and why. After a temporary failure it offers to send the same values again. Takes the focus, because
 * the save bar is in view wherever the page is scrolled to.
 */
export function FormProblem(props: {
  /** the forms of a page or card; the first that failed is shown */
  of: readonly AdminForm<unknown>[];
  title?: string;
  /** what to do after a failure that is not temporary */
  action?: NonNullable<BannerProps["action"]>;
}) {
  const { of, title, action } = props;
  const form = of.find(({ problem }) => problem !== undefined);
  const banner = useRef<BannerHandles>(null);
  const hasFailed = form?.busy === false;
  useEffect(() => {
    if (hasFailed) banner.current?.focus();
  }, [hasFailed]);
  if (!form) return null;
  const { retry, busy, problem } = form;
  const next = retry ? { content: "Try again", onAction: retry, loading: busy } : action;
  return (
    <Banner
      ref={banner}
      tone="critical"
      {...(title === undefined ? {} : { title })}
      {...(next ? { action: next } : {})}
    >
      <p>{problem}</p>
    </Banner>
  );
}
