import { backlogContract } from "../../support/backlog/contract";
import { ENGINES } from "./engines";

for (const [engine, tested] of Object.entries(ENGINES))
  describe(`a backlog in ${engine}`, () => backlogContract(tested));
