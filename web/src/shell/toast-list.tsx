import { Button, IconButton } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import type { Toast } from '../ui/toast-queue.ts';
import { dismiss, toasts } from '../ui/toasts.ts';

const ICON = { error: 'warn', info: 'info', ok: 'check' } as const;

export function Toasts() {
  return (
    <section class="toasts" aria-label="Messages">
      {toasts.value.map((toast) => (
        <One key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

function One({ toast }: { readonly toast: Toast }) {
  const { action } = toast;
  return (
    <div class={`toast toast-${toast.kind}`} role={toast.kind === 'error' ? 'alert' : 'status'}>
      <Icon name={ICON[toast.kind]} />
      <div class="toast-text">
        <p class="semi">{toast.title}</p>
        {toast.detail !== '' && (
          <p class="dim toast-detail" title={toast.detail}>
            {toast.detail}
          </p>
        )}
        {action !== null && (
          <Button
            small
            onClick={() => {
              dismiss(toast.id);
              action.run();
            }}
          >
            {action.label}
          </Button>
        )}
      </div>
      <IconButton icon="close" label="Close message" onClick={() => dismiss(toast.id)} />
    </div>
  );
}
