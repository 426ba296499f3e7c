import { gate } from "../src/runtime/gate/register";

export = gate;
