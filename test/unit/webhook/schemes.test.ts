import assert from "node:assert/strict";
import { readSignature, sign } from "../../../src/runtime/node-red/webhook-schemes";

interface Example {
  readonly sender: string;
  readonly scheme: string;
  readonly sign?: string;
  readonly secret: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly at?: string;
  readonly id?: string;
}

const SVIX = "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
const OTHER = "0".repeat(64);
const STANDARD = {
  ...{ scheme: "standard", secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", body: '{"test": 2432232314}' },
  ...{ at: "2021-02-25T15:02:10Z", id: "msg_p5jXN8AQM9LWM0D4loKWxJek" },
};
const STRIPE = "5a4388cc8bb49bb7dd53f31bbba26b0ebfa0cdf20f99254e01c5a5274a85c252";
const PADDLE = "f5b1e7d4080834a2460eedc57e75baf173a47ae69fa8ddd98d407c71aa65828a";
const PAGERDUTY = "d8dc79e5d00cd2a0116c7a36957043249976d76f41f9ed6886f9e1c8ec9ec7f8";
/** Of Slack's "Verifying requests from Slack". */
const COMMAND =
  "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";

/**
 * Those of GitHub, Svix and Slack are published with secret, body and signature. Of the others, the code that signs is published,
 * but no whole example: theirs are made by `openssl dgst`, as that code does.
 */
const EXAMPLES: readonly Example[] = [
  {
    ...{ sender: "GitHub", scheme: "", sign: "x-hub-signature-256", secret: "It's a Secret to Everybody" },
    ...{ body: "Hello, World!" },
    headers: {
      "x-hub-signature-256": "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
    },
  },
  {
    ...{ ...STANDARD, sender: "Standard Webhooks" },
    headers: { "webhook-id": STANDARD.id, "webhook-timestamp": "1614265330", "webhook-signature": `v1,${SVIX}` },
  },
  {
    ...{ ...STANDARD, sender: "Svix, while the secret changes", secret: STANDARD.secret.replace("whsec_", "") },
    headers: {
      ...{ "svix-id": STANDARD.id, "svix-timestamp": "1614265330" },
      "svix-signature": `v1,bm9ldHUjKzFob2VudXRob2VodWUzMjRvdWVvdW9ldQo= v2,MzJsNDk= v1,${SVIX}`,
    },
  },
  {
    ...{ sender: "Stripe", scheme: "stripe", secret: "whsec_of_stripe_1", body: '{"id":"evt_1"}', at: STANDARD.at },
    headers: { "stripe-signature": `t=1614265330,v1=${OTHER},v1=${STRIPE},v0=${OTHER}` },
  },
  {
    ...{ sender: "Calendly", scheme: "stripe", sign: "calendly-webhook-signature", secret: "whsec_of_stripe_1" },
    ...{ body: '{"id":"evt_1"}', at: STANDARD.at },
    headers: { "calendly-webhook-signature": `t=1614265330,v1=${STRIPE}` },
  },
  {
    ...{ sender: "Slack", scheme: "slack", secret: "8f742231b10e8888abcd99yyyzzz85a5", body: COMMAND },
    at: "2018-07-12T18:36:58Z",
    headers: {
      "x-slack-request-timestamp": "1531420618",
      "x-slack-signature": "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
    },
  },
  {
    ...{ sender: "Zendesk", scheme: "zendesk", secret: "dGhpc19zZWNyZXRfaXNfZm9yX3Rlc3Rpbmdfb25seQ==" },
    ...{ body: '{"id":"tkt_1"}', at: "2026-11-28T09:00:00Z" },
    headers: {
      "x-zendesk-webhook-signature": "B7to38FJnnjMVh22EbVuhRGTX2b6zSMFs5QeBL1iDh0=",
      "x-zendesk-webhook-signature-timestamp": "2026-11-28T09:00:00Z",
    },
  },
  {
    ...{ sender: "Paddle", scheme: "paddle", secret: "pdl_ntfset_01", body: '{"event_id":"evt_1"}' },
    at: "2022-12-20T16:12:57Z",
    headers: { "paddle-signature": `ts=1671552777;h1=${OTHER};h1=${PADDLE}` },
  },
  {
    ...{ sender: "PagerDuty", scheme: "pagerduty", secret: "of PagerDuty", body: '{"event":{"id":"01"}}' },
    headers: { "x-pagerduty-signature": `v1=${OTHER},v1=${PAGERDUTY}` },
  },
];

/** docs/contract/webhook.md, "Who may send". */
describe("The signature of a sender", () => {
  for (const { sender, scheme, sign: header = "", secret, body, headers, at, id } of EXAMPLES) {
    const signing = { sign: header, scheme };
    it(`is read as it is published: ${sender}`, () => {
      const read = (given: object, of = body) =>
        readSignature({ ...headers, ...given }, signing, secret, Buffer.from(of));
      assert.deepEqual(read({}), { ...(at && { at: Date.parse(at) }), ...(id && { id }) });
      assert.equal(read({}, `${body} `), undefined);
      // Whatever is missing or another one, time stamp and id included.
      for (const [name, value] of Object.entries(headers))
        for (const changed of [undefined, value.replaceAll(/[1-9a]/g, "0")])
          assert.equal(read({ [name]: changed }), undefined, `${name}: ${changed}`);
    });
    it(`is made as it is read: ${sender}`, () => {
      const now = Date.parse(at ?? STANDARD.at);
      const made = sign({}, signing, secret, body, now, "made");
      assert.deepEqual(readSignature(made, signing, secret, Buffer.from(body)), {
        ...(at && { at: now }),
        ...(id && { id: "made" }),
      });
      assert.equal(readSignature(made, signing, `${secret}0000`, Buffer.from(body)), undefined);
    });
  }
});
