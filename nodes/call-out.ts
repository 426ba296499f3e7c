import { choice, partyNumber, required, spokenActions, text, withDefault } from "../src/fields/field";
import { FieldError } from "../src/fields/problem";
import { action, post, shape } from "../src/runtime/actions/declaration";

export const callOut = action({
  type: "call-out",
  lane: "callOut",
  repeat: "never",
  effect: "placed",
  modes: {
    "": shape(
      {
        "from.type": withDefault(choice(["internal"]), "internal"),
        "from.number": partyNumber(),
        "from.alias": text(),
        "to.type": withDefault(choice(["external", "internal"]), "external"),
        "to.number": required(partyNumber()),
        "to.alias": text(),
        answer_url: text(),
        actions: spokenActions(),
      },
      (values, hotline) => {
        const ownNumber = values["from.number"];
        const number = ownNumber ?? hotline.fromNumber;
        if (number === undefined) throw new FieldError("hotlineMissing", "from.number");
        if (values.answer_url === undefined && values.actions === undefined)
          throw new FieldError("nothingToSay", "actions");
        // The tenant's alias is sent only with the tenant's own number.
        const alias = values["from.alias"] ?? (ownNumber === undefined ? hotline.fromAlias : undefined);
        return post("/api/v1/call/call-out", { ...values, "from.number": number, "from.alias": alias });
      },
    ),
  },
});
