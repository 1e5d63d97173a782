import { close, dialog } from "../state/dialogs.ts"
import { Dialog, DialogHeader } from "./Dialog.tsx"
import { Footer, Navigation } from "./Sidebar.tsx"

/** The sidebar on small screens. */
export const Drawer = () =>
  dialog.value?.kind === "sidebar" ? (
    <Dialog label="Library" onClose={close} class="drawer">
      <DialogHeader title="Library" onClose={close} />
      <div class="sidebar" tabIndex={-1} data-autofocus>
        <Navigation />
        <Footer />
      </div>
    </Dialog>
  ) : null
