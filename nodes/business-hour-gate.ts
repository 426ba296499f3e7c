import { gate } from "../src/runtime";

export = gate;
