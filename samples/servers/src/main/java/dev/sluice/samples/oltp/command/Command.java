package dev.sluice.samples.oltp.command;

import dev.sluice.samples.oltp.resp.ReplyBuffer;
import dev.sluice.samples.oltp.resp.Request;
import java.util.Locale;

/** The commands of a client. */
enum Command {
    BALANCE(2, 2, "readonly"),
    CLIENT(2, Integer.MAX_VALUE, "fast"),
    COMMAND(1, Integer.MAX_VALUE, "fast"),
    CONFIG(2, Integer.MAX_VALUE, "fast"),
    DEPOSIT(5, 6, "write"),
    FORWARD(3, Integer.MAX_VALUE, "write"),
    HELLO(1, Integer.MAX_VALUE, "fast"),
    INFO(1, 2, "readonly"),
    PING(1, 2, "fast"),
    QUIT(1, 1, "fast"),
    SELECT(2, 2, "fast");

    private static final Command[] ALL = values();

    private final int minimum;
    private final int maximum;
    private final String flag;

    Command(int minimum, int maximum, String flag) {
        this.minimum = minimum;
        this.maximum = maximum;
        this.flag = flag;
    }

    /** {@return the command that an argument names, null if none} */
    static Command named(Request request, int index) {
        for (Command command : ALL) {
            if (request.is(index, command.name())) {
                return command;
            }
        }
        return null;
    }

    boolean takes(int arguments) {
        return arguments >= minimum && arguments <= maximum;
    }

    /** As Redis's COMMAND describes it: name, arity (negative if it is a minimum), flags, and no keys. */
    void describe(ReplyBuffer replies) {
        replies.array(6);
        replies.bulk(toString());
        replies.integer(minimum == maximum ? minimum : -minimum);
        replies.array(1);
        replies.simple(flag);
        replies.integer(0);
        replies.integer(0);
        replies.integer(0);
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
