import { Skeleton } from "@mantine/core";
import { type ComponentProps, lazy, Suspense } from "react";

// CodeMirror is as large as the rest of the application: only pages with code load it.
const LazyEditor = lazy(() => import("./Editor"));
const LazyDiff = lazy(() => import("./Diff"));

export function CodeEditor(props: ComponentProps<typeof LazyEditor>) {
  return (
    <Suspense fallback={<Skeleton height={props.height ?? lines(props.value)} />}>
      <LazyEditor {...props} />
    </Suspense>
  );
}

export function CodeView(props: Omit<ComponentProps<typeof LazyEditor>, "onChange" | "readOnly">) {
  return <CodeEditor {...props} readOnly />;
}

export function DiffView(props: ComponentProps<typeof LazyDiff>) {
  return (
    <Suspense fallback={<Skeleton height={lines(props.after)} />}>
      <LazyDiff {...props} />
    </Suspense>
  );
}

function lines(text: string): number {
  return Math.min(text.split("\n").length, 40) * 17.5 + 10;
}
