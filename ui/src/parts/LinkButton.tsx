import { Button, type ButtonProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, Ref } from "react";

type Props = ButtonProps &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof ButtonProps> & { ref?: Ref<HTMLAnchorElement> };

function Plain(props: Props) {
  return <Button component="a" {...props} />;
}

/** A link that looks like a button: it goes somewhere, and changes nothing. */
export const LinkButton = createLink(Plain);
