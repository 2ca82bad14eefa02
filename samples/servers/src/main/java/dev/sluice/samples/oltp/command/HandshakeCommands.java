package dev.sluice.samples.oltp.command;

import dev.sluice.samples.oltp.resp.ReplyBuffer;
import dev.sluice.samples.oltp.resp.Request;

/** Commands that Redis's clients send by themselves, mostly at the beginning. */
final class HandshakeCommands {

    private HandshakeCommands() {
    }

    static void answer(Command command, Request request, ReplyBuffer replies) {
        switch (command) {
            case HELLO -> hello(request, replies);
            case COMMAND -> describe(request, replies);
            case CLIENT -> {
                if (request.is(1, "SETNAME") || request.is(1, "SETINFO")) {
                    replies.simple("OK");
                } else {
                    replies.error("ERR unknown subcommand");
                }
            }
            case CONFIG -> {
                if (request.is(1, "GET")) {
                    replies.array(0);
                } else {
                    replies.error("ERR unknown subcommand");
                }
            }
            case SELECT -> {
                if (request.isNumber(1) && request.number(1) == 0) {
                    replies.simple("OK");
                } else {
                    replies.error("ERR DB index is out of range");
                }
            }
            default -> throw new IllegalArgumentException(command.toString());
        }
    }

    private static void hello(Request request, ReplyBuffer replies) {
        if (request.count() > 1 && !(request.isNumber(1) && request.number(1) == 2)) {
            replies.error("NOPROTO unsupported protocol version");
            return;
        }
        replies.array(4);
        replies.bulk("server");
        replies.bulk("sluice");
        replies.bulk("proto");
        replies.integer(2);
    }

    private static void describe(Request request, ReplyBuffer replies) {
        if (request.count() == 1) {
            replies.array(Command.values().length);
            for (Command each : Command.values()) {
                each.describe(replies);
            }
        } else if (request.is(1, "COUNT")) {
            replies.integer(Command.values().length);
        } else if (request.is(1, "DOCS")) {
            replies.array(0);
        } else {
            replies.error("ERR unknown subcommand");
        }
    }
}
