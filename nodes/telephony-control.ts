import { control } from "../src/runtime/control/register";

export = control;
