#!/usr/bin/env node
import { runCommand } from "./command-line";
import { run } from "./sandbox";

void runCommand("telephony-sandbox", (command) => run(command, process.argv.slice(2)));
