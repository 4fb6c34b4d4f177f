import { Loader } from "@mantine/core";
import { useConnection } from "@/app/connection";
import classes from "./ConnectionBanner.module.css";

/** Says that the control plane is away, and that nobody has to do anything about this page. */
export function ConnectionBanner() {
  const state = useConnection();
  return (
    <div role="status">
      {state === "away" && (
        <div className={classes.banner}>
          <Loader size={14} color="currentColor" aria-hidden />
          <span>
            The control plane does not answer. What is shown may be old, and goes on by itself when it is
            back. <code>boathouse status</code> says more.
          </span>
        </div>
      )}
    </div>
  );
}
