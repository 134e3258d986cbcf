import { type ComponentProps, lazy, Suspense } from "react";

const LoadedAlertDialogs = lazy(async () => ({ default: (await import("./alert-dialogs.tsx")).AlertDialogs }));
const LoadedSaveView = lazy(async () => ({ default: (await import("./alerts-dialogs.tsx")).SaveViewDialog }));
const LoadedColumns = lazy(async () => ({ default: (await import("./alerts-dialogs.tsx")).ColumnsDialog }));

/** The dialogs are loaded when the first one opens: the list is there before. */
export function AlertDialogs(props: ComponentProps<typeof LoadedAlertDialogs>) {
  return <Suspense fallback={null}>{props.open && <LoadedAlertDialogs {...props} />}</Suspense>;
}

export function SaveViewDialog(props: ComponentProps<typeof LoadedSaveView>) {
  return (
    <Suspense fallback={null}>
      <LoadedSaveView {...props} />
    </Suspense>
  );
}

export function ColumnsDialog(props: ComponentProps<typeof LoadedColumns>) {
  return (
    <Suspense fallback={null}>
      <LoadedColumns {...props} />
    </Suspense>
  );
}
