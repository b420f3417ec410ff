import {
  Badge,
  Banner,
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
import { Fragment, type ReactNode } from "react";
import { useForm } from "../use-form.ts";
import type { HomeData } from "./home-data.ts";
import { editorLinks, useThemeBlocksActive } from "./theme-blocks.ts";

interface Step {
  title: string;
  text: string;
  /** undefined while unknown */
  done: boolean | undefined;
  buttons: ReactNode;
}

function stepsOf({ domain, apiKey, keys, webhooks, days }: HomeData, blocksActive: boolean | undefined): Step[] {
  const links = editorLinks(domain, apiKey);
  return [
    {
      title: "Add wishlist buttons to your theme",
      text: "The theme editor opens with the button in place. Select Save to publish it.",
      done: blocksActive,
      buttons: (
        <ButtonGroup>
          <Button url={links.embed} target="_top">
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
      text: "Open your store and save a product. It appears in today's numbers right away.",
      done: days.some(({ itemsAdded }) => itemsAdded > 0),
      buttons: (
        <Button url={`https://${domain}/`} external>
          View your store
        </Button>
      ),
    },
    {
      title: "Create an API key",
      text: "Connect your own storefront or another system to the wishlist API.",
      done: keys.length > 0,
      buttons: <Button url="/app/api-keys/new">Create API key</Button>,
    },
    {
      title: "Add a webhook",
      text: "Get notified when shoppers save or remove items.",
      done: webhooks.length > 0,
      buttons: <Button url="/app/webhooks/new">Add webhook</Button>,
    },
  ];
}

function StepState({ done }: Pick<Step, "done">) {
  return done === true ? (
    <Badge tone="success" progress="complete">
      Done
    </Badge>
  ) : (
    <Badge progress="incomplete">{done === undefined ? "Checking" : "To do"}</Badge>
  );
}

/** Shows the steps to a working wishlist, and the shop's progress. */
export function SetupGuide({ data }: { data: HomeData }) {
  const steps = stepsOf(data, useThemeBlocksActive());
  const dismiss = useForm("dismiss-setup", {});
  const doneCount = steps.filter((step) => step.done === true).length;
  return (
    <Card padding="0">
      <Box padding="400">
        <BlockStack gap="300">
          <InlineStack align="space-between" blockAlign="center" gap="200">
            <Text as="h2" variant="headingMd" id="setup-guide">
              Setup guide
            </Text>
            <Button variant="tertiary" onClick={dismiss.submit} loading={dismiss.busy}>
              Dismiss
            </Button>
          </InlineStack>
          {dismiss.problem !== undefined && (
            <Banner tone="critical">
              <p>{dismiss.problem}</p>
            </Banner>
          )}
          <Text as="p" tone="subdued">
            {doneCount} of {steps.length} steps completed
          </Text>
          <ProgressBar
            progress={(100 * doneCount) / steps.length}
            size="small"
            tone="primary"
            animated={false}
            ariaLabelledBy="setup-guide"
          />
        </BlockStack>
      </Box>
      {steps.map((step) => (
        <Fragment key={step.title}>
          <Divider />
          <Box padding="400">
            <BlockStack gap="300">
              <InlineStack align="space-between" blockAlign="center" gap="200" wrap={false}>
                <Text as="h3" variant="headingSm">
                  {step.title}
                </Text>
                <StepState done={step.done} />
              </InlineStack>
              <Text as="p" tone="subdued">
                {step.text}
              </Text>
              <div>{step.buttons}</div>
            </BlockStack>
          </Box>
        </Fragment>
      ))}
    </Card>
  );
}
