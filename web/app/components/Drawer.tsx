import { close, dialog } from "../state/dialogs.ts"
import { Dialog } from "./Dialog.tsx"
import { Footer, Navigation } from "./Sidebar.tsx"

/** The sidebar on small screens. */
export const Drawer = () =>
  dialog.value?.kind === "sidebar" ? (
    <Dialog title="Library" onClose={close} class="drawer">
      <div class="sidebar" tabIndex={-1} data-autofocus>
        <Navigation />
        <Footer />
      </div>
    </Dialog>
  ) : null
