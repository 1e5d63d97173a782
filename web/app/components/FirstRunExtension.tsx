import { useMemo } from "preact/hooks"
import { Command } from "./Command.tsx"
import { Part, type SetupProps, Step, Untold } from "./FirstRunStep.tsx"
import { Icon } from "./Icon.tsx"

/** 128 random bits in hexadecimal digits. */
const makeToken = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    ""
  )

const Download = ({ browser, file }: { readonly browser: string; readonly file: string }) => (
  <a class="button" href={`/downloads/${file}`} download>
    <Icon name="download" />
    For {browser}
  </a>
)

/** How to set up the extension. */
export const FirstRunExtension = ({ base, setup }: SetupProps) => {
  // One that was there before is not known here: the service never tells it.
  const made = useMemo(() => (setup.extension ? undefined : makeToken()), [])
  return (
    <Step title="From your browser, with the extension" done={setup.extension}>
      <ol class="parts">
        <Untold>
          <p>Download the extension and unpack it into a permanent folder:</p>
          <p class="downloads">
            <Download browser="Chrome, Edge, Brave" file="linkbower-chrome.zip" />
            <Download browser="Firefox" file="linkbower-firefox.zip" />
          </p>
          <p>
            <b>Chrome</b>: open <code>chrome://extensions</code>, turn on <b>Developer mode</b>, press{" "}
            <b>Load unpacked</b> and choose the unpacked folder.
          </p>
          <p>
            <b>Firefox</b>: open <code>about:debugging#/runtime/this-firefox</code>, press{" "}
            <b>Load Temporary Add-on</b> and choose the <code>manifest.json</code> in it. It is removed when
            Firefox closes.
          </p>
        </Untold>
        <Part done={setup.extension}>
          {made === undefined ? (
            <p>
              Its token is already set: you find it in <code>.env</code> after <code>EXTENSION_TOKEN=</code>.
            </p>
          ) : (
            <>
              <p>
                It needs a token that can only save links. Your browser just generated this one; put it into{" "}
                <code>.env</code>:
              </p>
              <Command text={`EXTENSION_TOKEN=${made}`} />
            </>
          )}
        </Part>
        <Untold>
          <p>
            In the extension’s options enter your library’s address
            {made === undefined ? " and that token" : ""}, and press <b>Save and test</b>:
          </p>
          <Command text={base} />
          {made === undefined ? null : (
            <>
              <p>and the token:</p>
              <Command text={made} />
            </>
          )}
        </Untold>
      </ol>
    </Step>
  )
}

/** How any other program saves a link, with the same token. */
export const FirstRunScript = ({ base, setup }: SetupProps) => (
  <Step title="From a script or another program" done={setup.extension}>
    <p>
      Once the extension’s token is in <code>.env</code>, any program can save a link with it, and do nothing
      else:
    </p>
    <Command
      text={`. ./.env; curl '${base}/capture/api/link' \\
  -H "authorization: Bearer $EXTENSION_TOKEN" -H 'content-type: application/json' \\
  -d '{"url":"https://example.org","note":"worth a look"}'`}
    />
  </Step>
)
