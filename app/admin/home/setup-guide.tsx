import {
  Badge,
  BlockStack,
  Box,
  Button,
  ButtonGroup,
  Card,
  Divider,
  InlineStack,
  ProgressBar,
  Text,
} from "@shopify/polaris";
import { Fragment, useState, type ReactNode } from "react";
import type { MissingPlan } from "../../billing/plans.ts";
import type { SetupState } from "../../shops/views.ts";
import { Disclosure } from "../disclosure.tsx";
import { FailureText } from "../failure-text.tsx";
import { AllowOrdersButton } from "../orders-permission.tsx";
import { useForm } from "../use-form.ts";
import { usePolling } from "../use-polling.ts";
import { FormProblem } from "../form-problem.tsx";
import type { HomeData } from "./home-data.ts";
import { editorLinks } from "./theme-blocks.ts";

/** How often the guide looks for steps that were completed elsewhere. */
const POLL_INTERVAL_MS = 10_000;

interface Step {
  title: string;
  text: string;
  /** undefined while unknown */
  done: boolean | undefined;
  /** whether the guide is complete without it */
  optional?: boolean;
  /** @param variant of the first button: primary in the step that comes next */
  buttons: (variant: "primary" | "secondary") => ReactNode;
}

type GuideData = HomeData & { setup: SetupState };

/** The app can't see the store's menus, so the merchant says when the link is there. */
function MenuButtons({
  variant,
  data: {
    domain,
    setup: { menuLinked, storePath },
  },
}: {
  variant: "primary" | "secondary";
  data: GuideData;
}) {
  const form = useForm(menuLinked ? "menu-not-linked" : "menu-linked", {});
  return (
    <BlockStack gap="200" inlineAlign="start">
      <ButtonGroup>
        <Button variant={variant} url="shopify://admin/content/menus" target="_top">
          Open menus
        </Button>
        <Button url={`https://${domain}${storePath}`} external>
          View wishlist page
        </Button>
        <Button variant="tertiary" onClick={form.submit} loading={form.busy}>
          {menuLinked ? "Mark as not done" : "Mark as done"}
        </Button>
      </ButtonGroup>
      <FailureText text={form.problem} />
    </BlockStack>
  );
}

function describeNeed(plan: MissingPlan | undefined): string {
  if (!plan) return "";
  return plan.isFrozen ? ` Off while your ${plan.name} subscription is frozen.` : ` Needs the ${plan.name} plan.`;
}

function alertStep({ alerts, missingPlan }: HomeData): Step {
  const isIncluded = missingPlan === undefined;
  const isReceived = alerts?.kinds.some((kind) => alerts.received.includes(kind));
  return {
    title: "Tell customers about prices and stock",
    text: `Turn alerts on, and choose Shopify Flow or a webhook to receive them.${describeNeed(missingPlan)}`,
    done: isIncluded && isReceived,
    optional: !isIncluded,
    buttons: (variant) =>
      isIncluded ? (
        <Button variant={variant} url="/app/alerts">
          Choose alerts
        </Button>
      ) : (
        <Button variant={variant} url="/app/plan">
          {missingPlan.isFrozen ? "View plan" : "View plans"}
        </Button>
      ),
  };
}

function stepsOf(data: GuideData, blocksActive: boolean | undefined): Step[] {
  const { domain, apiKey, began, readsOrders, setup } = data;
  const links = editorLinks(domain, apiKey);
  return [
    {
      title: "Add wishlist buttons to your theme",
      text: "The theme editor opens with the button in place. Select Save to publish it.",
      done: blocksActive,
      buttons: (variant) => (
        <ButtonGroup>
          <Button variant={variant} url={links.embed} target="_top">
            Add to product cards
          </Button>
          <Button url={links.button} target="_top">
            Add to product pages
          </Button>
        </ButtonGroup>
      ),
    },
    {
      title: "Save a product in your store",
      text: "Open your store and save a product. It appears on this page right away.",
      done: began,
      buttons: (variant) => (
        <Button variant={variant} url={`https://${domain}/`} external>
          View your store
        </Button>
      ),
    },
    {
      title: "Add the wishlist page to your menu",
      text: `In your store's main menu, add a link to ${setup.storePath} so that shoppers find what they saved.`,
      done: setup.menuLinked,
      buttons: (variant) => <MenuButtons variant={variant} data={data} />,
    },
    {
      title: "See what wishlists earn",
      text: "Allow this app to read orders. They count from then on, and names, addresses and payment details are never read.",
      done: readsOrders,
      buttons: (variant) =>
        readsOrders ? <Button url="/app/analytics">View revenue</Button> : <AllowOrdersButton variant={variant} />,
    },
    alertStep(data),
  ];
}

function developerSteps({ keys, webhooks }: HomeData): Step[] {
  return [
    {
      title: "Create an API key",
      text: "Connect your own storefront or another system to the wishlist API.",
      done: keys && keys.length > 0,
      optional: true,
      buttons: () => <Button url="/app/api-keys/new">Create API key</Button>,
    },
    {
      title: "Add a webhook",
      text: "Get notified when shoppers save or remove items.",
      done: webhooks?.some(({ url }) => url.startsWith("https:")),
      optional: true,
      buttons: () => <Button url="/app/webhooks/new">Add webhook</Button>,
    },
  ];
}

function StepState({ done, optional = false }: Pick<Step, "done" | "optional">) {
  if (done === true) {
    return (
      <Badge tone="success" progress="complete">
        Done
      </Badge>
    );
  }
  if (optional) return <Badge>Optional</Badge>;
  return <Badge progress="incomplete">{done === undefined ? "Checking" : "To do"}</Badge>;
}

/** @param detailed whether steps that are done have their text and buttons as well */
function Steps({ steps, detailed }: { steps: readonly Step[]; detailed: boolean }) {
  const next = steps.find(({ done, optional = false }) => done === false && !optional);
  return steps.map((step) => (
    <Fragment key={step.title}>
      <Divider />
      <Box paddingInline="400" paddingBlock={step.done === true && !detailed ? "300" : "400"}>
        <BlockStack gap="300">
          <InlineStack align="space-between" blockAlign="center" gap="200" wrap={false}>
            <Text as="h3" variant="headingSm">
              {step.title}
            </Text>
            <StepState {...step} />
          </InlineStack>
          {(step.done !== true || detailed) && (
            <>
              <Text as="p" tone="subdued" breakWord>
                {step.text}
              </Text>
              <div>{step.buttons(step === next ? "primary" : "secondary")}</div>
            </>
          )}
        </BlockStack>
      </Box>
    </Fragment>
  ));
}

/** Shows the steps to a working wishlist, and the shop's progress. Of a complete guide it shows a line. */
export function SetupGuide({ data, blocksActive }: { data: GuideData; blocksActive: boolean | undefined }) {
  const steps = stepsOf(data, blocksActive);
  const dismiss = useForm("dismiss-setup", {});
  const [opened, setOpened] = useState(false);
  const [detailed, setDetailed] = useState(false);
  const required = steps.filter(({ optional = false }) => !optional);
  const doneCount = required.filter((step) => step.done === true).length;
  const isComplete = doneCount === required.length;
  const isOpen = opened || !isComplete;
  // Steps are completed in other tabs: the theme editor, the store, Shopify's permissions.
  usePolling(!isComplete, POLL_INTERVAL_MS);
  return (
    <Card padding="0">
      <Box padding="400">
        <BlockStack gap="300">
          <InlineStack align="space-between" blockAlign="center" gap="200">
            <Text as="h2" variant="headingMd" id="setup-guide">
              {isComplete ? "Setup is complete" : "Setup guide"}
            </Text>
            <ButtonGroup>
              {isComplete && (
                <Button
                  variant="tertiary"
                  onClick={() => setOpened(!opened)}
                  ariaExpanded={isOpen}
                  ariaControls="setup-steps"
                >
                  {isOpen ? "Hide steps" : "Show steps"}
                </Button>
              )}
              <Button variant="tertiary" onClick={dismiss.submit} loading={dismiss.busy}>
                Dismiss
              </Button>
            </ButtonGroup>
          </InlineStack>
          <FormProblem of={[dismiss]} />
          {!isComplete && (
            <>
              <Text as="p" tone="subdued">
                {doneCount} of {required.length} steps completed
              </Text>
              <ProgressBar
                progress={(100 * doneCount) / required.length}
                size="small"
                tone="primary"
                animated={false}
                ariaLabelledBy="setup-guide"
              />
            </>
          )}
        </BlockStack>
      </Box>
      <div id="setup-steps" hidden={!isOpen}>
        {isOpen && (
          <>
            <Steps steps={steps} detailed={detailed} />
            <Divider />
            <Disclosure
              label="Show all steps, also for developers"
              openLabel="Show fewer steps"
              isInset
              onChange={setDetailed}
            >
              <Steps steps={developerSteps(data)} detailed />
            </Disclosure>
          </>
        )}
      </div>
    </Card>
  );
}
