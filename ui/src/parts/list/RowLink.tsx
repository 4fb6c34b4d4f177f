import { createLink } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, Ref } from "react";
import classes from "./DataList.module.css";

type Props = AnchorHTMLAttributes<HTMLAnchorElement> & { ref?: Ref<HTMLAnchorElement> };

function Plain(props: Props) {
  return <a {...props} className={classes.link} />;
}

/** The link of a row: all of the row leads there, and the keyboard finds it once. */
export const RowLink = createLink(Plain);
