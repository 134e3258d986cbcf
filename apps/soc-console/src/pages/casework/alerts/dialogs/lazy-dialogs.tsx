import { type ComponentProps, lazy, Suspense } from "react";

const LoadedAlertDialogs = lazy(async () => ({ default: (await import("./alert-dialogs.tsx")).AlertDialogs }));
const LoadedSaveView = lazy(async () => ({ default: (await import("./alerts-dialogs.tsx")).SaveViewDialog }));
const LoadedColumns = lazy(async () => ({ default: (await import("./alerts-dialogs.tsx")).ColumnsDialog }));

/** The dialogs load when the first one opens, so that the list appears earlier. */
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
