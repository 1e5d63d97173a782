/** @jsxImportSource preact */
import { useState } from "preact/hooks"
import type { SetUpAnswer } from "../../src/http/api/SetUpApi.ts"
import { isOfThisDevice, ONLY_HERE } from "../../src/shared/OwnDevice.ts"
import { ask } from "./ask.ts"
import { CopyField } from "./CopyField.tsx"
import { ExtensionDownloads } from "./ExtensionDownloads.tsx"
import { Form, Outcome, Submit } from "./Form.tsx"
import { QrCode } from "./QrCode.tsx"
import { useTask } from "./useTask.ts"

/** The address and the token that the extension needs, and the link that hands both over. */
interface Handover {
  readonly address: string
  readonly token: string
  readonly link: string
}

interface ExtensionStepProps {
  readonly extension: SetUpAnswer["extension"]
  readonly onDone: () => Promise<void>
}

const Ready = ({ link }: Pick<Handover, "link">) => (
  <div class="beside">
    <ol class="numbered">
      <li>
        <p>Install the extension. The download knows your library:</p>
        <ExtensionDownloads />
      </li>
      <li>
        <p>Or, if it is installed already, hand it the address and the token:</p>
        <p>
          <a class="button" href={link} target="_blank" rel="noopener">
            Connect the extension
          </a>
        </p>
      </li>
      <li>
        <p>For another browser, open this link there. It contains the token: keep it to yourself.</p>
        <CopyField label="Connection" text={link} />
        {isOfThisDevice(link) ? <p class="hint">{ONLY_HERE}</p> : null}
      </li>
    </ol>
    {isOfThisDevice(link) ? null : (
      <figure class="code-figure">
        <QrCode text={link} label="Opens the page that connects the extension on another device" />
        <figcaption class="hint">Connects another device</figcaption>
      </figure>
    )}
  </div>
)

/** Connects the browser extension, with a token that can only save links. */
export const ExtensionStep = ({ extension, onDone }: ExtensionStepProps) => {
  const task = useTask()
  const [handover, setHandover] = useState<Handover>()
  const get = (renew: boolean) =>
    task.run(async (options) => {
      const body = renew ? { renew } : {}
      setHandover(await ask<Handover>("POST", "/dashboard/api/setup/extension", { ...options, body }))
      await onDone()
    })
  return (
    <>
      <p>
        Save the page you are on with one click, in Chrome, Edge, Brave or Firefox. The extension can only
        save links to {extension.address}: it never reads your library.
      </p>
      {handover === undefined ? null : <Ready link={handover.link} />}
      <Form label="Extension" task={task} onSubmit={() => get(handover !== undefined)}>
        {handover === undefined ? (
          <Submit task={task} isPrimary={!extension.isSet}>
            {extension.isSet ? "Connect another browser" : "Set it up"}
          </Submit>
        ) : (
          <p>
            <button type="submit" class="link-button" aria-busy={task.isBusy}>
              Make a new token
            </button>{" "}
            <span class="hint">Browsers with the old one must connect again.</span>
          </p>
        )}
        <Outcome task={task} />
      </Form>
    </>
  )
}
