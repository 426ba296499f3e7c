import { troubleContract } from "../../support/backlog/trouble-contract";
import { ENGINES } from "../backlog/engines";

for (const [engine, tested] of Object.entries(ENGINES))
  describe(`call-outs while the service fails, with a backlog in ${engine}`, () => troubleContract(tested));
